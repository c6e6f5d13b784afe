#include "plan/fetch.h"

#include <fmt/format.h>

#include <algorithm>

namespace quire {

Cell covering_list(const Filter& filter) {
  Cell list{};
  for (std::size_t facet = 0; facet < facet_count; ++facet)
    if (filter.values[facet].size() == 1) list[facet] = filter.values[facet].front();
  return list;
}

std::vector<Fetch> plan_fetch(std::uint64_t comments, const Cell& list, std::uint64_t spread,
                              const CostModel& costs) {
  const auto* index = std::find_if(indexes.begin(), indexes.end(),
                                   [&](const Index& each) { return list_of(each, list) == list; });
  Fetch by_id{{}, comments, static_cast<double>(comments) * costs.per_comment};
  auto per_entry = costs.per_entry[static_cast<std::size_t>(index - indexes.begin())];
  if (per_entry >= no_such_list) return {by_id};
  Fetch from_list{list, spread, cost_of_list(costs, *index, static_cast<double>(spread))};
  if (from_list.cost < by_id.cost) return {from_list, by_id};
  return {by_id, from_list};
}

std::string summary(std::string_view product, const Fetch& fetch) {
  if (!fetch.list) return fmt::format("{} by id, cost {:.1f}", fetch.entries, fetch.cost);
  return fmt::format("from {}, {} entries, cost {:.1f}", list_key(product, *fetch.list),
                     fetch.entries, fetch.cost);
}

}  // namespace quire
