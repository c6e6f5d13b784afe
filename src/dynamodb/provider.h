// Finds credentials in the places where AWS's SDKs look, and replaces them before they expire.
// Used on one loop; not thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dynamodb/connections.h"
#include "dynamodb/credentials.h"

namespace quire::dynamodb {

class Provider {
 public:
  struct Sources {
    Environment environment;
    std::function<std::optional<std::string>(const std::string& path)> read_file;
    std::function<Awaitable<Exchanged>(Origin, Message, Deadline)> exchange;
    std::function<std::uint64_t()> now_ms;
  };

  // `profile`: only this profile of the shared files is used. Empty: the environment, the shared
  // files, the container's endpoint and the instance metadata service are asked, in this order.
  Provider(Sources sources, std::string profile)
      : sources_(std::move(sources)), profile_(std::move(profile)) {}

  // Nothing if there are no credentials. `renew`: the credentials given last were refused. While
  // one caller fetches new credentials, others get the present ones as long as they are valid, or
  // wait.
  Awaitable<std::optional<Credentials>> get(bool renew);

 private:
  Awaitable<std::optional<Credentials>> fetch();
  std::optional<Credentials> shared(const std::string& profile);
  Awaitable<std::optional<Credentials>> container();
  Awaitable<std::optional<Credentials>> instance();
  Awaitable<std::string> ask(Origin origin, Message message);
  bool valid() const;

  Sources sources_;
  std::string profile_;
  std::optional<Credentials> held_;
  bool fetching_ = false;
  std::uint64_t not_before_ms_ = 0;  // no source is asked again before then, after a failure
};

}  // namespace quire::dynamodb
