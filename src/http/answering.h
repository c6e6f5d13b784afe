// What a server has its requests answered by.
#pragma once

#include <cstddef>

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

  // Never throws, never fails: what goes wrong is an answer too.
  virtual Awaitable<Answer> answer(Request& request) = 0;
  // The server is about to stop.
  virtual void stop() = 0;
};

}  // namespace quire::http
