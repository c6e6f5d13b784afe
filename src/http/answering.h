// What a server has its requests answered by.
#pragma once

#include <cstddef>
#include <optional>

#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

struct Answer {
  Response response;
  std::size_t route;  // for metrics
};

// Thread-safe.
class Answering {
 public:
  virtual ~Answering() = default;

  // Called once for each request, as soon as its header is complete: `body` is still empty. May set
  // `takes_body`, `route` and `captures` of the request, which answer() then finds there. Gives the
  // final answer if the header alone decides; the body is then not read, and answer() not called.
  virtual std::optional<Answer> check_header(Request&) { return {}; }
  // The answer to a request that passed check_header(). Never throws, never fails: what goes wrong
  // is an answer too.
  virtual Awaitable<Answer> answer(Request& request) = 0;
  // The server is about to stop.
  virtual void stop() = 0;
};

}  // namespace quire::http
