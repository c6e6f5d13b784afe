#include "listing/lists/parts.h"

#include <algorithm>
#include <stdexcept>

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

std::optional<std::int64_t> value_in(const Part& part) {
  if (part.value == any) return {};
  return static_cast<std::int64_t>(part.value);
}

std::size_t part_of(const std::vector<Part>& parts, std::optional<std::int64_t> value) {
  auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
    return part.value == any || value_in(part) == value;
  });
  if (found == parts.end()) throw std::out_of_range("a position outside of its listing");
  return static_cast<std::size_t>(found - parts.begin());
}

Awaitable<Result<PartsRead>> read_parts(ListView& view, const std::vector<Part>& parts, Order order,
                                        Direction direction, ReadFrom from, std::size_t limit,
                                        bool look_ahead) {
  PartsRead found;
  bool backward = direction == Direction::backward;
  std::size_t wanted = limit + look_ahead + from.look_behind;
  Order read_order = backward ? opposite(order) : order;
  std::optional<Ulid> front = from.look_behind ? from.after : std::nullopt;
  if (front) from.after = just_before(*front, read_order);
  std::optional<Ulid> stopped;
  while (from.part < parts.size()) {
    Span span{read_order, from.after, wanted - found.rows.size()};
    auto some = co_await gather(view, parts[from.part].plan, span);
    if (!some) co_return some.error();
    found.rows.insert(found.rows.end(), some->rows.begin(), some->rows.end());
    found.read += some->read;
    found.requests += some->requests;
    found.parts.push_back(
        {from.part, from.after, some->changed_plan, some->stopped.has_value(), found.rows.size()});
    bool edge = backward && from.part == 0;
    stopped = some->stopped;
    if (found.rows.size() == wanted || edge || stopped) break;
    from = {backward ? from.part - 1 : from.part + 1, {}};
  }
  found.something_behind = front && !found.rows.empty() && found.rows.front().id == front;
  if (found.something_behind) found.rows.erase(found.rows.begin());
  found.more = found.rows.size() > limit;
  if (found.more) found.rows.resize(limit);
  auto position = [&](std::size_t row) {
    auto at = found.parts.begin();
    while (at->end <= row + found.something_behind) ++at;
    return Position{found.rows[row].id, value_in(parts[at->part])};
  };
  if (!found.rows.empty()) {
    found.near = position(0);
    found.far = position(found.rows.size() - 1);
  }
  if (stopped && !found.more) {
    found.more = true;
    found.far = Position{*stopped, value_in(parts[found.parts.back().part])};
  }
  co_return found;
}

}  // namespace quire::lists
