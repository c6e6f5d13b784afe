// A sort as sections, one after the other, each in id order: sorted by time there is one, sorted by
// rating one for each rating. Each has a plan of its own.
#pragma once

#include "plan/plan.h"
#include "service/gather.h"

namespace quire {

struct Section {
  FacetValue rating;  // of its comments; any: all are in one section
  Plan plan;
};

// In the order of the sort; some may be empty.
std::vector<Section> sections_of(const Filter& filter, const Counts& counts, Sort sort,
                                 std::size_t wanted, const CostModel& costs);
Order order_of(Sort sort);
// Which of them holds comments of a rating.
std::optional<std::size_t> section_of(const std::vector<Section>& sections, FacetValue rating);
std::uint64_t total(const std::vector<Section>& sections);

// A place between two comments of a sort.
struct Place {
  std::size_t section;
  std::optional<Ulid> after;  // absent: at the section's edge
  // The comment in front, read along with what follows: whether it is still there tells whether
  // there is a page behind.
  bool look_back = false;
};

struct Visit {
  std::size_t section;
  std::optional<Ulid> after;
  bool changed_plan;
};

struct Found {
  std::vector<Entry> rows;        // in the order read
  bool something_behind = false;  // the comment in front was seen
  bool more = false;              // there are more in that direction
  std::size_t read = 0;
  std::size_t requests = 0;
  std::vector<Visit> visits;
};

// From `place` on, or back from it, at most `limit` rows.
Awaitable<Result<Found>> gather(View& view, const std::vector<Section>& sections, Order order,
                                bool backward, Place place, std::size_t limit);

}  // namespace quire
