// The JSON interface to the log of changes, for programs that keep a copy of the comments.
#pragma once

#include "desk/desk.h"
#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// Handlers of routes. Thread-safe.
class ChangesApi {
 public:
  // `desk` must outlive this.
  explicit ChangesApi(desk::Desk& desk) : desk_(desk) {}

  // A line of JSON for each event. The mark of the last line is where the next request goes on.
  Awaitable<Response> list(const Request& request);

 private:
  desk::Desk& desk_;
};

}  // namespace quire::http
