#include "listing/lists/segments.h"

#include <algorithm>
#include <stdexcept>

#include "listing/lists/gather.h"

namespace quire::lists {

std::vector<Segment> segments_of(const Filter& filter, const Counts& counts, Sort sort,
                                 std::size_t wanted, const CostModel& costs) {
  std::vector<Segment> segments;
  if (sort == Sort::newest || sort == Sort::oldest) {
    segments.push_back({any, make_plan(filter, counts, wanted, costs)});
    return segments;
  }
  for (FacetValue step = 1; step <= 5; ++step) {
    FacetValue rating = sort == Sort::lowest ? step : 6 - step;
    const auto& selected = filter.values[rating_facet];
    if (!selected.empty() && !std::count(selected.begin(), selected.end(), rating)) continue;
    Filter one = filter;
    one.values[rating_facet] = {rating};
    segments.push_back({rating, make_plan(one, counts, wanted, costs)});
  }
  return segments;
}

std::optional<std::int64_t> value_in(const Segment& segment) {
  if (segment.value == any) return {};
  return static_cast<std::int64_t>(segment.value);
}

std::size_t segment_of(const std::vector<Segment>& segments, std::optional<std::int64_t> value) {
  auto found = std::find_if(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.value == any || value_in(segment) == value;
  });
  if (found == segments.end()) throw std::out_of_range("a position outside of its listing");
  return static_cast<std::size_t>(found - segments.begin());
}

Awaitable<Result<SegmentsRead>> read_segments(ListView& view, const std::vector<Segment>& segments,
                                              Order order, Direction direction, ReadFrom from,
                                              std::size_t limit, bool look_ahead) {
  SegmentsRead found;
  bool backward = direction == Direction::backward;
  std::size_t wanted = limit + look_ahead + from.look_behind;
  Order read_order = backward ? opposite(order) : order;
  std::optional<Ulid> front = from.look_behind ? from.after : std::nullopt;
  if (front) from.after = just_before(*front, read_order);
  std::optional<Ulid> stopped;
  while (from.segment < segments.size()) {
    Span span{read_order, from.after, wanted - found.rows.size()};
    auto some = co_await gather(view, segments[from.segment].plan, span);
    if (!some) co_return some.error();
    found.rows.insert(found.rows.end(), some->rows.begin(), some->rows.end());
    found.read += some->read;
    found.requests += some->requests;
    found.segments.push_back({from.segment, from.after, some->changed_plan,
                              some->stopped.has_value(), found.rows.size()});
    bool edge = backward && from.segment == 0;
    stopped = some->stopped;
    if (found.rows.size() == wanted || edge || stopped) break;
    from = {backward ? from.segment - 1 : from.segment + 1, {}};
  }
  found.something_behind = front && !found.rows.empty() && found.rows.front().id == front;
  if (found.something_behind) found.rows.erase(found.rows.begin());
  found.more = found.rows.size() > limit;
  if (found.more) found.rows.resize(limit);
  auto position = [&](std::size_t row) {
    auto at = found.segments.begin();
    while (at->end <= row + found.something_behind) ++at;
    return Position{found.rows[row].id, value_in(segments[at->segment])};
  };
  if (!found.rows.empty()) {
    found.near = position(0);
    found.far = position(found.rows.size() - 1);
  }
  if (stopped && !found.more) {
    found.more = true;
    found.far = Position{*stopped, value_in(segments[found.segments.back().segment])};
  }
  co_return found;
}

}  // namespace quire::lists
