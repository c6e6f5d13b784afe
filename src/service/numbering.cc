#include "service/numbering.h"

#include "rank/union.h"

namespace quire {

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
  co_return before + (oldest_first ? *older : plan.matches - *older);
}

}  // namespace quire
