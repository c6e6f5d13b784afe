#include "change/target.h"

#include <algorithm>
#include <array>

namespace quire::change {
namespace {

constexpr std::array<std::string_view, 4> phases = {"empty", "building", "following", "lost"};
static_assert(static_cast<std::size_t>(Phase::lost) + 1 == phases.size());

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases[static_cast<std::size_t>(phase)];
}

std::optional<Phase> parse_phase(std::string_view name) {
  auto at = std::find(phases.begin(), phases.end(), name);
  if (at == phases.end()) return {};
  return static_cast<Phase>(at - phases.begin());
}

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

std::uint64_t made_before(std::uint64_t made_ms) {
  constexpr std::uint64_t second = 1000, minute = 60 * second;
  return made_ms + (made_ms % minute == 0 ? minute : second);
}

}  // namespace quire::change
