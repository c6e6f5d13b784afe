// The JSON interface that brings comments from elsewhere: POST /v1/import.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "desk/desk.h"
#include "http/api/import_stream.h"
#include "http/message.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class ImportApi {
 public:
  static constexpr std::size_t max_imports = 4;  // that run at once, one of a client

  // `comments` and `desk` must outlive this.
  ImportApi(Comments& comments, const desk::Desk& desk, ImportKeys keys)
      : comments_(comments), desk_(desk), keys_(std::move(keys)) {}

  // The response has a taker of the body. 503: this client has an import under way, or too many
  // others have.
  Awaitable<Response> take(const Request& request);

 private:
  // Ends the stay of an import when its last copy goes.
  using Seat = std::shared_ptr<const void>;

  Seat enter(const std::string& client);

  Comments& comments_;
  const desk::Desk& desk_;
  const ImportKeys keys_;
  std::mutex mutex_;
  std::set<std::string> clients_;  // guarded by mutex_
};

}  // namespace quire::http
