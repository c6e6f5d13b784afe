#include "service/sections.h"

#include <algorithm>

namespace quire {

std::vector<Section> sections_of(const Filter& filter, const Counts& counts, Sort sort,
                                 std::size_t wanted, const CostModel& costs) {
  std::vector<Section> sections;
  if (sort == Sort::newest || sort == Sort::oldest) {
    sections.push_back({any, make_plan(filter, counts, wanted, costs)});
    return sections;
  }
  for (FacetValue step = 1; step <= 5; ++step) {
    FacetValue rating = sort == Sort::lowest ? step : 6 - step;
    const auto& wanted_ratings = filter.values[rating_facet];
    if (!wanted_ratings.empty() &&
        !std::count(wanted_ratings.begin(), wanted_ratings.end(), rating))
      continue;
    Filter one = filter;
    one.values[rating_facet] = {rating};
    sections.push_back({rating, make_plan(one, counts, wanted, costs)});
  }
  return sections;
}

Order order_of(Sort sort) {
  return sort == Sort::oldest ? Order::oldest_first : Order::newest_first;
}

std::optional<std::size_t> section_of(const std::vector<Section>& sections, FacetValue rating) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (sections[i].rating == any || sections[i].rating == rating) return i;
  }
  return {};
}

std::uint64_t total(const std::vector<Section>& sections) {
  std::uint64_t sum = 0;
  for (const auto& section : sections) sum += section.plan.matches;
  return sum;
}

Awaitable<Result<Found>> gather(View& view, const std::vector<Section>& sections, Order order,
                                bool backward, Place place, std::size_t limit) {
  Found found;
  std::size_t wanted = limit + 1 + place.look_back;  // one more tells whether there are more
  Order read_order = backward ? opposite(order) : order;
  std::optional<Ulid> front = place.look_back ? place.after : std::nullopt;
  if (front) place.after = just_before(*front, read_order);
  while (place.section < sections.size()) {
    Span span{read_order, place.after, wanted - found.rows.size()};
    auto some = co_await gather(view, sections[place.section].plan, span);
    if (!some) co_return some.error();
    found.rows.insert(found.rows.end(), some->rows.begin(), some->rows.end());
    found.read += some->read;
    found.requests += some->requests;
    found.visits.push_back({place.section, place.after, some->changed_plan});
    bool edge = backward && place.section == 0;
    if (found.rows.size() == wanted || edge) break;
    place = {backward ? place.section - 1 : place.section + 1, {}};
  }
  found.something_behind = front && !found.rows.empty() && found.rows.front().id == front;
  if (found.something_behind) found.rows.erase(found.rows.begin());
  found.more = found.rows.size() > limit;
  if (found.more) found.rows.resize(limit);
  co_return found;
}

}  // namespace quire
