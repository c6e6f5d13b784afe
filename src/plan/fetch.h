// Plans how the documents of comments are fetched whose ids an index has found: by their ids, or
// from a list in which they lie close together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace quire {

// One way to fetch them.
struct Fetch {
  std::optional<Cell> list;  // absent: by their ids
  std::uint64_t entries;     // to read
  double cost;
};

// What a store says an entry costs of an index that it does not have.
inline constexpr double no_such_list = 1e6;

// The smallest list that has every comment which the filter selects.
Cell covering_list(const Filter& filter);

// Both ways, the cheaper first; one way where the store has no such list. `spread`: how many
// entries `list` has from the first of the comments to the last, both included.
std::vector<Fetch> plan_fetch(std::uint64_t comments, const Cell& list, std::uint64_t spread,
                              const CostModel& costs);

// "from PRODUCT#42/en, 24 entries, cost 1.5"; "20 by id, cost 10.0"
std::string summary(std::string_view product, const Fetch& fetch);

}  // namespace quire
