#include "service/numbering.h"

#include <algorithm>

#include "page_index/union.h"

namespace quire {

Awaitable<Status> measure(Ranks& ranks, std::vector<Section>& sections) {
  if (sections.empty()) co_return Done{};
  std::vector<Cell> lists;
  for (auto& section : sections) {
    const auto& more = section.plan.steady().lists;
    lists.insert(lists.end(), more.begin(), more.end());
  }
  auto lengths = co_await ranks.lengths(sections.front().plan.filter.product, lists);
  if (!lengths) co_return lengths.error();
  auto next = lengths->begin();
  for (auto& section : sections) {
    Choice& steady = section.plan.steady();
    for (auto& length : steady.lengths) length = *next++;
    section.plan.matches = steady.held();
  }
  co_return Done{};
}

Awaitable<Result<Located>> place_at(Ranks& ranks, const std::vector<Section>& sections, Order order,
                                    std::uint64_t offset) {
  std::size_t section = 0;
  while (offset >= sections[section].plan.matches) offset -= sections[section++].plan.matches;
  const Plan& plan = sections[section].plan;
  const Choice& lists = plan.steady();
  auto n = order == Order::oldest_first ? offset : plan.matches - 1 - offset;
  auto nth = co_await ranks.nth_of_union(plan.filter.product, lists.lists, lists.lengths, n);
  if (!nth) co_return nth.error();
  Place place{section, just_before(nth->id, order)};
  co_return Located{place, nth->rounds};
}

Awaitable<Result<std::uint64_t>> offset_of(Ranks& ranks, const std::vector<Section>& sections,
                                           Order order, std::size_t section, const Ulid& id) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < section; ++i) before += sections[i].plan.matches;
  const Plan& plan = sections[section].plan;
  bool oldest_first = order == Order::oldest_first;
  auto older = co_await rank_in_union(ranks, plan.filter.product, plan.steady().lists,
                                      oldest_first ? id : id.next());
  if (!older) co_return older.error();
  // An index beside the store may have grown or shrunk since its lists were measured.
  auto place = std::min(*older, plan.matches);
  co_return before + (oldest_first ? place : plan.matches - place);
}

}  // namespace quire
