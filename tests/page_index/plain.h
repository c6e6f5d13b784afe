// A page index of plain vectors, with which tests compare the others.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "page_index/page_index.h"

namespace quire {

class PlainRanks : public Ranks {
 public:
  std::map<Cell, std::vector<Ulid>> lists;  // sorted

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view,
                                                        std::span<const Cell> names) override {
    std::vector<std::uint64_t> out;
    for (const auto& name : names) out.push_back(lists[name].size());
    co_return out;
  }

  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view, std::span<const RankRange> ranges) override {
    std::vector<std::vector<Ulid>> out;
    for (const auto& [list, from, count] : ranges) {
      const auto& all = lists[list];
      auto begin = std::min<std::size_t>(from, all.size());
      auto end = std::min<std::size_t>(begin + count, all.size());
      out.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
    }
    co_return out;
  }

  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view, std::span<const Cell> names,
                                                      const Ulid& id) override {
    std::vector<std::uint64_t> out;
    for (const auto& name : names) {
      const auto& all = lists[name];
      out.push_back(
          static_cast<std::uint64_t>(std::lower_bound(all.begin(), all.end(), id) - all.begin()));
    }
    co_return out;
  }

  Awaitable<Result<Ulid>> nth_of_union(std::string_view, std::span<const Cell> names, std::uint64_t,
                                       std::uint64_t n) override {
    std::vector<Ulid> all;
    for (const auto& name : names) all.insert(all.end(), lists[name].begin(), lists[name].end());
    if (n >= all.size()) co_return changes_too_fast();
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
    co_return all[n];
  }
};

}  // namespace quire
