// A page index of plain vectors, with which tests compare the searches.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "page_index/ranks.h"

namespace quire {

class PlainRanks : public Ranks {
 public:
  std::map<Cell, std::vector<Ulid>> lists;  // sorted
  int rounds = 0;

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view,
                                                        std::span<const Cell> names) override {
    ++rounds;
    std::vector<std::uint64_t> out;
    for (const auto& name : names) out.push_back(lists[name].size());
    co_return out;
  }

  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view, std::span<const RankRange> ranges) override {
    ++rounds;
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

  Awaitable<Result<std::vector<Probe>>> probe(std::string_view, std::span<const Cell> names,
                                              std::span<const Pivot> pivots) override {
    ++rounds;
    std::vector<Probe> out;
    for (auto [list, n, id] : pivots) {
      if (!id && n < lists[names[list]].size()) id = lists[names[list]][n];
      if (id) out.push_back({*id, ranks_of(names, *id)});
    }
    co_return out;
  }

 private:
  std::vector<std::uint64_t> ranks_of(std::span<const Cell> names, const Ulid& id) {
    std::vector<std::uint64_t> out;
    for (const auto& name : names) {
      const auto& all = lists[name];
      out.push_back(
          static_cast<std::uint64_t>(std::lower_bound(all.begin(), all.end(), id) - all.begin()));
    }
    return out;
  }
};

}  // namespace quire
