// Generations of a table's products, for caches of answers. A table does not tell what other
// programs write, so each generation ends after a few seconds; a write of this process ends it at
// once.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "model/generation.h"

namespace quire::dynamodb {

// Thread-safe.
class Generations {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // How long a generation lasts at most.
  static constexpr std::chrono::milliseconds lifetime{3000};

  Generation present(std::string_view product, Time now = std::chrono::steady_clock::now()) const;

  // This process has, or may have, written to the product, or to any.
  void end(std::string_view product);
  void end_all() { ++all_; }

 private:
  // Products share counters: a write to one may end the generation of others early.
  std::array<std::atomic<std::uint64_t>, 1024> writes_{};
  std::atomic<std::uint64_t> any_ = 0;  // writes to any product
  std::atomic<std::uint64_t> all_ = 0;  // writes that concern all products
};

}  // namespace quire::dynamodb
