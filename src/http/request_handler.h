// The port between a server and the code that answers its requests.
#pragma once

#include <cstddef>
#include <optional>

#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

struct RoutedResponse {
  Response response;
  std::size_t route;  // for metrics
};

// Thread-safe.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;

  // Called once for each request, as soon as its header is complete: `body` is still empty. May set
  // the request's `takes_body`, `route`, `captures` and `token`, which answer() then reads. Returns
  // the response if the header alone decides it. The connection then neither reads the body nor
  // calls answer().
  virtual std::optional<RoutedResponse> check_header(Request&) { return {}; }
  // The response to a request that passed check_header(). Never throws: a failure is a response,
  // too.
  virtual Awaitable<RoutedResponse> answer(Request& request) = 0;
  // The server is about to stop.
  virtual void stop() = 0;
};

}  // namespace quire::http
