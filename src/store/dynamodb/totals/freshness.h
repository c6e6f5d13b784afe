// How far the statistics are that follow the table's stream, looked up once in a few seconds.
// Lives on the loop.
#pragma once

#include <cstdint>

#include "dynamodb/client.h"

namespace quire::dynamodb {

class Freshness {
 public:
  explicit Freshness(Client& client) : client_(client) {}

  // What was written before then is in statistics that are read after this, in ms since 1970.
  Awaitable<Result<std::uint64_t>> get();

 private:
  Client& client_;
  std::uint64_t as_of_ms_ = 0, known_until_ms_ = 0;
};

}  // namespace quire::dynamodb
