#include "listing/lists/lists_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/try.h"
#include "plan/plan.h"

namespace quire::lists {

ListsListing::ListsListing(ListView& view, const Filter& filter, SortBy sort,
                           std::vector<Segment> segments, ListNumbers numbers, const Counts& counts,
                           Opening opening)
    : RunListing(sort.order(), opening),
      view_(view),
      filter_(filter),
      segments_(std::move(segments)),
      numbers_(std::move(numbers)),
      counts_(counts) {}

std::optional<std::uint64_t> ListsListing::total() const {
  bool uncounted = !filter_.clauses.empty() || !counts_.known;
  if (uncounted && !filter_.nothing) return {};
  return length(segments_);
}

std::optional<std::uint64_t> ListsListing::known_rank(const std::optional<Position>& from,
                                                      Direction direction) const {
  if (direction == Direction::backward) return {};
  if (!from) return 0;
  if (at_ && at_->position == from) return at_->rank;
  return {};
}

Awaitable<Result<ListsListing::Run>> ListsListing::read_run(std::optional<Position> from,
                                                            Direction direction) {
  auto rank = known_rank(from, direction);
  ReadFrom start{direction == Direction::forward ? 0 : segments_.size() - 1, {}};
  // The number by which the position was found tells what lies behind.
  bool looks_behind = looks() && filter_.clauses.empty() && !rank;
  if (from) start = {segment_of(segments_, from->value), from->id, looks_behind};
  CO_TRY(found_, co_await read_segments(view_, segments_, order_, direction, start, opening_.limit,
                                        looks()));
  co_return Run{.entries = std::exchange(found_.rows, {}),
                .near = found_.near,
                .far = found_.far,
                .more = found_.more,
                .read = found_.read,
                .requests = found_.requests,
                .rank = rank};
}

// Nothing lies between `from` and the nearest row.
Awaitable<Result<bool>> ListsListing::any_behind(const Position& from, Direction direction) {
  if (!filter_.clauses.empty() || found_.something_behind) co_return true;
  ReadFrom start{segment_of(segments_, from.value), just_beyond(from, direction, order_).id};
  CO_TRY(auto looked,
         co_await read_segments(view_, segments_, order_, opposite(direction), start, 1));
  // What stopped early may have passed over some.
  co_return !looked.rows.empty() || looked.more;
}

Awaitable<Status> ListsListing::complete(Run& run, Direction) {
  return view_.documents(segments_.front().plan.filter.product, run.entries);
}

Awaitable<Result<std::optional<Position>>> ListsListing::at(std::uint64_t n) {
  std::optional<Position> position;
  if (numbers_.none()) co_return position;
  if (n >= length(segments_)) {
    // An index that was lost a moment ago does not tell that there are fewer comments.
    co_await numbers_.check_again();
    co_return position;
  }
  auto nth = co_await numbers_.nth(segments_, order_, n);
  if (!nth) co_return position;
  const auto& [segment, id] = *nth;
  position = Position{just_before(id, order_), value_in(segments_[segment])};
  at_ = Ranked{position, n};
  co_return position;
}

Awaitable<Result<std::optional<std::uint64_t>>> ListsListing::rank(
    const std::optional<Position>& position) {
  std::optional<std::uint64_t> rank;
  if (numbers_.none()) co_return rank;
  if (!position || length(segments_) == 0) rank = 0;
  if (first_ && first_->position == position) rank = first_->rank;
  if (rank) co_return rank;
  co_return co_await numbers_.rank(segments_, order_, segment_of(segments_, position->value),
                                   position->id);
}

Awaitable<Result<CountedFacets>> ListsListing::counts(std::span<const SchemaFacet> facets,
                                                      Under under) {
  co_return count_cells(counts_, filter_, facets, under);
}

Explanation ListsListing::explanation() const {
  auto out = explain(view_, segments_, found_);
  if (at_) add_search(out, at_->rank);
  out.discarded = read_ - shown_;
  return out;
}

namespace {

std::optional<std::string> residual_text(const Plan& plan, const Choice& choice) {
  auto left = terms(plan.residual(choice));
  if (left.empty()) return {};
  return fmt::format("{}", fmt::join(left, ", "));
}

}  // namespace

Explanation explain(ListView& view, const std::vector<Segment>& segments,
                    const SegmentsRead& found) {
  Explanation out;
  for (const auto& segment : found.segments) {
    const Plan& plan = segments[segment.segment].plan;
    const Choice& choice = plan.chosen();
    const std::string& product = plan.filter.product;
    if (out.index.empty()) out.index = choice.index->name;
    for (std::size_t read = 0; read < choice.reads(); ++read) {
      const auto& list = choice.lists[read / choice.parts];
      auto of_list = read % choice.parts;
      out.lists.push_back(list_key(product, list, of_list));
      out.start.push_back(
          {out.lists.back(),
           segment.after ? view.start_key(product, list, *segment.after, of_list) : ""});
    }
    for (const auto& list : choice.skipped) out.skipped.push_back(list_key(product, list));
    if (!choice.skipped.empty()) out.counts_age_ms = plan.counts_age_ms;
    if (!out.residual) out.residual = residual_text(plan, choice);
    if (!out.summary.empty()) out.summary += "; then ";
    out.summary += summary(plan);
    if (segment.changed_plan)
      out.summary += "; dropped too much, finished by " + summary(plan, plan.lossless());
    if (segment.stopped)
      out.summary += "; stopped where few entries were kept, the next page goes on";
    out.estimated_cost += choice.cost;
    for (std::size_t i = 1; i < plan.choices.size(); ++i) {
      out.alternatives.push_back({summary(plan, plan.choices[i]), plan.choices[i].cost});
    }
  }
  out.read = found.read;
  out.requests = found.requests;
  out.consumed_capacity = view.consumed();
  return out;
}

void add_search(Explanation& out, std::uint64_t n) {
  out.summary += fmt::format("; row {} found by the page index", n + 1);
}

}  // namespace quire::lists
