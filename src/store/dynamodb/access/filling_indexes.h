// The indexes of lists that the table is filling: it answers no query of such an index until that
// is full. Pages are planned without them, and come where another index will do.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>

#include "model/facets.h"

namespace quire::dynamodb {

// Thread-safe.
class FillingIndexes {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds between_looks{10};

  // `index`: its place in `indexes`.
  bool has(std::size_t index) const { return filling_[index]; }
  void note(std::size_t index, bool filling);
  // A query has failed; it is not known why.
  void suspect() { suspected_ = true; }
  // Whether an index is being filled, or suspected to be, and nobody has looked for ten seconds. Of
  // several callers one is told, and looks.
  bool look_is_due(Time now = std::chrono::steady_clock::now());

 private:
  std::array<std::atomic<bool>, indexes.size()> filling_{};
  std::atomic<bool> suspected_ = false;
  std::atomic<Time> looked_{Time::min()};
};

}  // namespace quire::dynamodb
