// The list of all: comments of all products, by time.
#pragma once

#include <string>

#include "desk/desk.h"
#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// A page of the queue as JSON: of each comment its whole moderation, its ETag and its reports, and
// where it has the words that were looked for; empty: none were.
std::string queue_json(const QueuePage& page, const std::string& words);

// Handlers of routes. Thread-safe.
class ListApi {
 public:
  // `desk` must outlive this.
  explicit ListApi(desk::Desk& desk) : desk_(desk) {}

  Awaitable<Response> list(const Request& request);

 private:
  desk::Desk& desk_;
};

}  // namespace quire::http
