#include "listing/lists/lists_listing.h"

#include <algorithm>

#include "listing/lists/explain.h"
#include "model/document.h"

namespace quire::lists {
namespace {

Direction opposite(Direction direction) {
  return direction == Direction::forward ? Direction::backward : Direction::forward;
}

}  // namespace

ListsListing::ListsListing(View& view, Sort sort, std::vector<Part> parts, ListNumbers numbers,
                           Opening opening)
    : view_(view),
      order_(order_of(sort)),
      opening_(opening),
      parts_(std::move(parts)),
      numbers_(std::move(numbers)) {}

ReadFrom ListsListing::start_of(const std::optional<Position>& from, Direction direction) const {
  if (from) return {part_of(parts_, from->value), from->id};
  return {direction == Direction::forward ? 0 : parts_.size() - 1, {}};
}

std::optional<std::uint64_t> ListsListing::known_rank(const std::optional<Position>& from,
                                                      Direction direction) const {
  if (direction == Direction::backward) return {};
  if (!from) return 0;
  if (at_ && at_->position == from) return at_->rank;
  return {};
}

ListsListing::Ends ListsListing::ends_of(const PartsRead& found) const {
  auto at = [&](std::size_t row) {
    return Position{found.rows[row].id, parts_[found.part_of(row)].value};
  };
  return {at(0), at(found.rows.size() - 1)};
}

Awaitable<Result<Rows>> ListsListing::read(std::optional<Position> from, Direction direction) {
  bool look = opening_.neighbours == Opening::Neighbours::look;
  bool forward = direction == Direction::forward;
  auto rank = known_rank(from, direction);
  ReadFrom start = start_of(from, direction);
  // Exact ranks tell what lies behind; so does the number by which the position was found.
  start.look_behind = look && from && !rank && !numbers_.exact();
  auto found = co_await read_parts(view_, parts_, order_, direction, start, opening_.limit, look);
  if (!found) co_return found.error();
  Ends ends;
  bool empty = found->rows.empty();
  if (!empty) ends = ends_of(*found);
  if (!forward) std::reverse(found->rows.begin(), found->rows.end());
  auto complete = co_await view_.documents(parts_.front().plan.filter.product, found->rows);
  if (!complete) co_return complete.error();

  Rows rows{.entries = std::exchange(found->rows, {}),
            .first = {},
            .previous = {},
            .next = {},
            .read = found->read,
            .requests = found->requests};
  if (!empty) rows.first = forward ? ends.near : ends.far;
  // An emptied page begins where its comments were.
  if (empty && forward && from)
    rows.first = Position{just_before(from->id, quire::opposite(order_)), from->value};
  auto ranked = co_await rank_rows(rows, rank, ends, direction);
  if (!ranked) co_return ranked.error();
  auto behind = co_await this->behind(rows, *found, ends, from, direction);
  if (!behind) co_return behind.error();
  std::optional<Position> ahead;
  if (found->more || (!look && !empty)) ahead = ends.far;
  rows.previous = forward ? *behind : ahead;
  rows.next = forward ? ahead : *behind;
  // Damaged comments have kept the positions of their neighbours.
  rows.damaged =
      std::erase_if(rows.entries, [](const Entry& row) { return is_damaged(row.document); });
  shown_ = rows.entries.size();
  read_ = std::move(*found);
  co_return rows;
}

// Notes the ranks of the first and last row, where they are known or exact.
Awaitable<Status> ListsListing::rank_rows(const Rows& rows, std::optional<std::uint64_t> rank,
                                          const Ends& ends, Direction direction) {
  first_.reset();
  last_.reset();
  if (!rank && numbers_.exact() && !rows.entries.empty()) {
    auto found = co_await this->rank(rows.first);
    if (!found) co_return found.error();
    rank = *found;
  }
  if (!rank) co_return Done{};
  first_ = Ranked{rows.first, *rank};
  if (numbers_.exact() && !rows.entries.empty()) {
    auto last = direction == Direction::forward ? ends.far : ends.near;
    last_ = Ranked{last, *rank + rows.entries.size() - 1};
  }
  co_return Done{};
}

// From where the comments on the other side of `from` are read; absent: there are none.
Awaitable<Result<std::optional<Position>>> ListsListing::behind(const Rows& rows,
                                                                const PartsRead& found,
                                                                const Ends& ends,
                                                                const std::optional<Position>& from,
                                                                Direction direction) {
  bool empty = rows.entries.empty(), forward = direction == Direction::forward;
  std::optional<Position> nearest;
  if (!empty) nearest = ends.near;
  if (opening_.neighbours == Opening::Neighbours::skip) co_return nearest;
  if (first_ && !empty) {
    bool some = forward ? first_->rank > 0 : first_->rank + rows.entries.size() < total();
    if (!some) nearest.reset();
    co_return nearest;
  }
  if (!from) co_return std::optional<Position>();
  // Nothing lies between `from` and the nearest row. Without rows, the comment at `from` itself
  // belongs to what lies behind.
  Order order = forward ? order_ : quire::opposite(order_);
  Ulid beyond = just_before(from->id, quire::opposite(order));
  bool some = found.something_behind;
  if (!some) {
    ReadFrom start{part_of(parts_, from->value), beyond};
    auto looked = co_await read_parts(view_, parts_, order_, opposite(direction), start, 1);
    if (!looked) co_return looked.error();
    some = !looked->rows.empty();
  }
  if (!some) co_return std::optional<Position>();
  if (empty) nearest = Position{beyond, from->value};
  co_return nearest;
}

Awaitable<Result<std::optional<Position>>> ListsListing::at(std::uint64_t n) {
  std::optional<Position> position;
  if (numbers_.none()) co_return position;
  if (n >= total()) {
    // An index that was lost a moment ago does not tell that there are fewer comments.
    co_await numbers_.check_again();
    co_return position;
  }
  auto nth = co_await numbers_.nth(parts_, order_, n);
  if (!nth) co_return nth.error();
  if (!*nth) co_return position;
  const auto& [part, id, rounds] = **nth;
  position = Position{just_before(id, order_), parts_[part].value};
  at_ = Ranked{position, n};
  rounds_ = rounds;
  co_return position;
}

Awaitable<Result<std::optional<std::uint64_t>>> ListsListing::rank(
    const std::optional<Position>& position) {
  std::optional<std::uint64_t> rank;
  if (numbers_.none()) co_return rank;
  if (!position) rank = 0;
  for (const auto* known : {&first_, &last_}) {
    if (*known && (*known)->position == position) rank = (*known)->rank;
  }
  if (rank) co_return rank;
  co_return co_await numbers_.rank(parts_, order_, part_of(parts_, position->value), position->id);
}

Explanation ListsListing::explanation() const {
  auto out = explain(view_, parts_, read_);
  if (rounds_ > 0) add_search(out, at_->rank, rounds_);
  out.discarded = read_.read - shown_;
  return out;
}

}  // namespace quire::lists
