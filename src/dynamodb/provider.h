// Finds credentials in the usual places and replaces them before they expire.
// Lives on one loop; not thread-safe.
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

  // `profile`: this one of the shared files and no other source; empty: environment, shared files,
  // container endpoint, instance metadata service.
  Provider(Sources sources, std::string profile)
      : sources_(std::move(sources)), profile_(std::move(profile)) {}

  // Nothing if there are none. `renew`: those given last were refused. While one caller fetches
  // those that follow, others get those that still hold, or wait.
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
  std::uint64_t not_before_ms_ = 0;  // after a failure nobody is asked again for a while
};

}  // namespace quire::dynamodb
