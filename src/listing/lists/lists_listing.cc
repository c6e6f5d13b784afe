#include "listing/lists/lists_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "model/document.h"
#include "plan/plan.h"

namespace quire::lists {

ListsListing::ListsListing(ListView& view, const Filter& filter, SortBy sort,
                           std::vector<Segment> segments, ListNumbers numbers, const Counts& counts,
                           Opening opening)
    : view_(view),
      filter_(filter),
      order_(sort.order()),
      opening_(opening),
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

Awaitable<Result<Rows>> ListsListing::read(std::optional<Position> from, Direction direction) {
  bool look = opening_.neighbours == Opening::Neighbours::look;
  bool forward = direction == Direction::forward;
  auto rank = known_rank(from, direction);
  ReadFrom start{forward ? 0 : segments_.size() - 1, {}};
  bool looks_behind = look && filter_.clauses.empty();
  // The number by which the position was found tells what lies behind.
  if (from) start = {segment_of(segments_, from->value), from->id, looks_behind && !rank};
  auto found =
      co_await read_segments(view_, segments_, order_, direction, start, opening_.limit, look);
  if (!found) co_return found.error();
  if (!forward) std::reverse(found->rows.begin(), found->rows.end());
  auto complete = co_await view_.documents(segments_.front().plan.filter.product, found->rows);
  if (!complete) co_return complete.error();

  bool empty = found->rows.empty();
  Rows rows{.entries = std::exchange(found->rows, {}),
            .first = forward ? found->near : found->far,
            .previous = {},
            .next = {},
            .read = found->read,
            .requests = found->requests};
  // An emptied page begins where its comments were.
  if (empty && forward && from) rows.first = just_beyond(*from, direction, order_);
  first_.reset();
  if (rank) first_ = Ranked{rows.first, *rank};
  std::optional<Position> behind;
  if (!look) {
    behind = found->near;
  } else if (rank && !empty) {
    if (*rank > 0) behind = found->near;
  } else if (from && !looks_behind) {
    behind = empty ? just_beyond(*from, direction, order_) : found->near;
  } else if (from) {
    auto looked = co_await this->behind(*found, rows.entries.size(), *from, direction);
    if (!looked) co_return looked.error();
    behind = *looked;
  }
  rows.set_neighbours(direction, behind, found->more || !look ? found->far : std::nullopt);
  // Comments that cannot be shown have kept the positions of their neighbours.
  rows.damaged = std::erase_if(rows.entries, [](const Entry& row) {
    return row.document.empty() || is_damaged(row.document);
  });
  shown_ = rows.entries.size();
  read_ = std::move(*found);
  co_return rows;
}

// Looks for comments on the other side of `from`. Nothing lies between `from` and the nearest row.
// Without rows, the comment at `from` itself belongs to what lies behind.
Awaitable<Result<std::optional<Position>>> ListsListing::behind(const SegmentsRead& found,
                                                                std::size_t rows, Position from,
                                                                Direction direction) {
  Position beyond = just_beyond(from, direction, order_);
  bool some = found.something_behind;
  if (!some) {
    ReadFrom start{segment_of(segments_, from.value), beyond.id};
    auto looked = co_await read_segments(view_, segments_, order_, opposite(direction), start, 1);
    if (!looked) co_return looked.error();
    some = !looked->rows.empty();
  }
  std::optional<Position> none;
  if (!some) co_return none;
  if (rows == 0) co_return std::optional(beyond);
  co_return found.near;
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
  auto out = explain(view_, segments_, read_);
  if (at_) add_search(out, at_->rank);
  out.discarded = read_.read - shown_;
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
