// Runs many requests, a limited number at once, so that those of other callers have their turn.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "loop/loop.h"
#include "quire/result.h"

namespace quire::dynamodb {

inline constexpr std::size_t max_group = 32;

// The results, in the order of the works. A group begins when the one before it has ended. After a
// group with an error no other begins: then the results are fewer, and an error is among them.
template <class T>
Awaitable<std::vector<Result<T>>> all_in_groups(std::vector<Awaitable<Result<T>>> works) {
  std::vector<Result<T>> results;
  results.reserve(works.size());
  for (auto next = works.begin(); next != works.end();) {
    auto count = std::min<std::ptrdiff_t>(max_group, works.end() - next);
    std::vector<Awaitable<Result<T>>> group(std::make_move_iterator(next),
                                            std::make_move_iterator(next + count));
    next += count;
    auto some = co_await all(std::move(group));
    bool failed =
        !std::all_of(some.begin(), some.end(), [](const auto& each) { return bool(each); });
    std::move(some.begin(), some.end(), std::back_inserter(results));
    if (failed) break;
  }
  co_return results;
}

}  // namespace quire::dynamodb
