// How far the statistics are that follow the table's stream, looked up once in a few seconds.
// Lives on the loop.
#pragma once

#include <cstdint>

#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire::dynamodb {

struct Parts;

class Freshness {
 public:
  explicit Freshness(Parts& parts) : parts_(parts) {}

  // What was written before then is in statistics that are read after this, in ms since 1970.
  Awaitable<Result<std::uint64_t>> get();

 private:
  Parts& parts_;
  std::uint64_t as_of_ms_ = 0, known_until_ms_ = 0;
};

}  // namespace quire::dynamodb
