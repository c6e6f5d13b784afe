#include "listing/lists/parts.h"

#include <algorithm>

#include "listing/lists/gather.h"

namespace quire::lists {

std::vector<Part> parts_of(const Filter& filter, const Counts& counts, Sort sort,
                           std::size_t wanted, const CostModel& costs) {
  std::vector<Part> parts;
  if (sort == Sort::newest || sort == Sort::oldest) {
    parts.push_back({any, make_plan(filter, counts, wanted, costs)});
    return parts;
  }
  for (FacetValue step = 1; step <= 5; ++step) {
    FacetValue rating = sort == Sort::lowest ? step : 6 - step;
    const auto& selected = filter.values[rating_facet];
    if (!selected.empty() && !std::count(selected.begin(), selected.end(), rating)) continue;
    Filter one = filter;
    one.values[rating_facet] = {rating};
    parts.push_back({rating, make_plan(one, counts, wanted, costs)});
  }
  return parts;
}

Order order_of(Sort sort) {
  return sort == Sort::oldest ? Order::oldest_first : Order::newest_first;
}

std::size_t part_of(const std::vector<Part>& parts, FacetValue value) {
  auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
    return part.value == any || part.value == value;
  });
  if (found == parts.end()) throw std::out_of_range("a position outside of its listing");
  return static_cast<std::size_t>(found - parts.begin());
}

std::uint64_t length(const std::vector<Part>& parts) {
  std::uint64_t sum = 0;
  for (const auto& part : parts) sum += part.plan.matches;
  return sum;
}

std::size_t PartsRead::part_of(std::size_t row) const {
  auto at = parts.begin();
  for (; row >= at->rows; ++at) row -= at->rows;
  return at->part;
}

Awaitable<Result<PartsRead>> read_parts(View& view, const std::vector<Part>& parts, Order order,
                                        Direction direction, ReadFrom from, std::size_t limit,
                                        bool look_ahead) {
  PartsRead found;
  bool backward = direction == Direction::backward;
  std::size_t wanted = limit + look_ahead + from.look_behind;
  Order read_order = backward ? opposite(order) : order;
  std::optional<Ulid> front = from.look_behind ? from.after : std::nullopt;
  if (front) from.after = just_before(*front, read_order);
  while (from.part < parts.size()) {
    Span span{read_order, from.after, wanted - found.rows.size()};
    auto some = co_await gather(view, parts[from.part].plan, span);
    if (!some) co_return some.error();
    found.rows.insert(found.rows.end(), some->rows.begin(), some->rows.end());
    found.read += some->read;
    found.requests += some->requests;
    found.parts.push_back({from.part, from.after, some->changed_plan, some->rows.size()});
    bool edge = backward && from.part == 0;
    if (found.rows.size() == wanted || edge) break;
    from = {backward ? from.part - 1 : from.part + 1, {}};
  }
  found.something_behind = front && !found.rows.empty() && found.rows.front().id == front;
  if (found.something_behind) {
    found.rows.erase(found.rows.begin());
    --found.parts.front().rows;
  }
  found.more = found.rows.size() > limit;
  if (found.more) found.rows.resize(limit);
  co_return found;
}

}  // namespace quire::lists
