#include "cli/terminal/checks.h"

#include <algorithm>
#include <numeric>

namespace quire::cli {
namespace {

// Damerau's distance, of which each pair of letters is swapped once at most.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> earlier, before(to.size() + 1), now(to.size() + 1);
  std::iota(before.begin(), before.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    now[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      now[j + 1] = std::min({before[j] + (from[i] != to[j]), before[j + 1] + 1, now[j] + 1});
      bool swapped = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
      if (swapped) now[j + 1] = std::min(now[j + 1], earlier[j - 1] + 1);
    }
    earlier = std::exchange(before, now);
  }
  return before.back();
}

}  // namespace

std::string closest(std::string_view typed, const std::vector<std::string>& names) {
  constexpr std::size_t max_size = 64;  // of a name; longer ones are none
  std::size_t fewest = (std::min(typed.size(), max_size) + 1) / 3 + 1;
  std::string found;
  if (typed.size() < 2 || typed.size() > max_size) return found;
  for (const auto& name : names) {
    auto edits = name.starts_with(typed) ? 1 : edits_between(typed, name);
    if (edits >= fewest) continue;
    fewest = edits;
    found = name;
  }
  return found;
}

}  // namespace quire::cli
