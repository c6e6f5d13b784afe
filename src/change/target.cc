#include "change/target.h"

#include <algorithm>

namespace quire::change {

std::uint64_t as_of_ms(const State& state) {
  if (state.phase != Phase::following) return 0;
  std::uint64_t open = UINT64_MAX, ended = 0;
  for (const auto& [shard, mark] : state.marks) {
    if (mark.ended)
      ended = std::max(ended, mark.as_of_ms);
    else
      open = std::min(open, mark.as_of_ms);
  }
  return open == UINT64_MAX ? ended : open;
}

}  // namespace quire::change
