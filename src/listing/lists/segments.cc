#include "listing/lists/segments.h"

#include "base/try.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quire::lists {
namespace {

constexpr double budget_factor = 8;  // times the expected number of entries
constexpr std::size_t min_budget = 256;
constexpr std::size_t max_read = 1000;

// A choice, and how far it is followed.
struct Attempt {
  const Choice& choice;
  Filter residual;
  std::size_t budget;  // entries it may read

  bool drops() const { return choice.drops() || !residual.clauses.empty(); }
};

// How many entries to ask a list, or its part, for: its expected share of the
// page, and a margin that few pages exceed. Entries arrive like random draws,
// so the share varies by about its square root.
std::size_t ask(const Attempt& attempt, std::size_t read, std::size_t missing,
                std::uint64_t matches) {
  const Choice& choice = attempt.choice;
  if (choice.reads() == 1 && !attempt.drops()) return missing;
  // The lengths of the lists are not known.
  if (choice.held() == 0) return missing / choice.reads() + 2;
  auto of = static_cast<double>(choice.drops() ? matches : choice.held());
  double length =
      static_cast<double>(choice.lengths[read / choice.parts]) / static_cast<double>(choice.parts);
  double share = static_cast<double>(missing) * length / std::max(of, 1.0);
  auto entries = static_cast<std::size_t>(share + std::sqrt(share) + 2);
  return std::min(entries, attempt.drops() ? max_read : missing);
}

// Reads until the rows are complete; false: the budget was used up first.
Awaitable<Result<bool>> follow(ListView& view, const Plan& plan, const Attempt& attempt,
                               Order order, Merge& merge, std::size_t wanted, Gathered& gathered) {
  std::vector<std::size_t> given(attempt.choice.reads());
  for (auto dry = merge.advance(); !dry.empty(); dry = merge.advance()) {
    if (merge.read() >= attempt.budget && merge.reached()) co_return false;
    std::vector<Range> ranges;
    std::size_t missing = wanted - merge.rows().size();
    for (auto read : dry) {
      auto entries = ask(attempt, read, missing, plan.matches);
      // A list that gave more than its share may do so again.
      entries = std::max(entries, std::min(given[read], attempt.drops() ? max_read : missing));
      ranges.push_back({attempt.choice.lists[read / attempt.choice.parts], merge.after(read),
                        entries, read % attempt.choice.parts});
    }
    CO_TRY(auto slices, co_await view.read(plan.filter.product, order, ranges, attempt.drops()));
    gathered.requests += ranges.size();
    for (std::size_t i = 0; i < dry.size(); ++i) {
      given[dry[i]] += slices[i].entries.size();
      merge.feed(dry[i], std::move(slices[i]));
    }
  }
  co_return true;
}

}  // namespace

Awaitable<Result<Gathered>> gather(ListView& view, const Plan& plan, Span span) {
  Gathered gathered;
  const Choice& chosen = plan.chosen();
  auto budget =
      std::max<std::size_t>(min_budget, static_cast<std::size_t>(budget_factor * chosen.entries));
  const Choice& lossless = plan.lossless();
  constexpr auto unbounded = static_cast<std::size_t>(-1);
  std::vector<Attempt> attempts;
  if (chosen.drops())
    attempts.push_back(
        {chosen, plan.residual(chosen), lossless.absent ? max_under_clauses : budget});
  if (!chosen.drops() || !lossless.absent)
    attempts.push_back(
        {lossless, plan.residual(lossless), plan.has_clauses() ? max_under_clauses : unbounded});
  for (const Attempt& attempt : attempts) {
    std::size_t wanted = span.wanted - gathered.rows.size();
    Merge merge(attempt.choice.reads(), span.order, span.after, wanted, attempt.residual);
    CO_TRY(auto complete,
           co_await follow(view, plan, attempt, span.order, merge, wanted, gathered));
    gathered.rows.insert(gathered.rows.end(), merge.rows().begin(), merge.rows().end());
    gathered.read += merge.read();
    if (complete) break;
    if (&attempt == &attempts.back()) gathered.stopped = merge.reached();
    if (&attempt != &attempts.back()) gathered.changed_plan = true;
    if (merge.reached()) span.after = merge.reached();
  }
  co_return gathered;
}

std::vector<Segment> segments_of(const Filter& filter, const Counts& counts, Sort sort,
                                 std::size_t wanted, const CostModel& costs) {
  std::vector<Segment> segments;
  if (!sorts_by_value(sort)) {
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
    CO_TRY(auto some, co_await gather(view, segments[from.segment].plan, span));
    found.rows.insert(found.rows.end(), some.rows.begin(), some.rows.end());
    found.read += some.read;
    found.requests += some.requests;
    found.segments.push_back(
        {from.segment, from.after, some.changed_plan, some.stopped.has_value(), found.rows.size()});
    bool edge = backward && from.segment == 0;
    stopped = some.stopped;
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
