// Runs many requests, a limited number at once, so that those of other callers have their turn.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "loop/loop.h"

namespace quire::dynamodb {

inline constexpr std::size_t max_group = 32;

// The results, in the order of the works. A group begins when the one before it has ended.
template <class T>
Awaitable<std::vector<T>> all_in_groups(std::vector<Awaitable<T>> works) {
  std::vector<T> results;
  results.reserve(works.size());
  for (auto next = works.begin(); next != works.end();) {
    auto count = std::min<std::ptrdiff_t>(max_group, works.end() - next);
    std::vector<Awaitable<T>> group(std::make_move_iterator(next),
                                    std::make_move_iterator(next + count));
    next += count;
    auto some = co_await all(std::move(group));
    std::move(some.begin(), some.end(), std::back_inserter(results));
  }
  co_return results;
}

}  // namespace quire::dynamodb
