// Up to when statistics that follow the table's stream are complete, looked up once in a few
// seconds. Used on the client's loop.
#pragma once

#include <chrono>
#include <cstdint>

#include "dynamodb/client.h"
#include "loop/one_answer.h"

namespace quire::dynamodb {

class Freshness {
 public:
  explicit Freshness(Client& client) : client_(client) {}

  // Statistics that are read after this call have all that was written before the returned time, in
  // ms since 1970.
  Awaitable<Result<std::uint64_t>> get();

 private:
  Awaitable<Result<std::uint64_t>> ask();

  Client& client_;
  OneAnswer<Result<std::uint64_t>> answer_;
  std::uint64_t as_of_ms_ = 0;
  std::chrono::steady_clock::time_point known_until_{};  // the system's clock may be set back
};

}  // namespace quire::dynamodb
