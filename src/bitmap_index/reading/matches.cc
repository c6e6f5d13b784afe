#include "bitmap_index/reading/matches.h"

#include <algorithm>

#include "bitmap_index/reading/number_order.h"
#include "bitmap_index/reading/timeline.h"

namespace quire::bitmap_index {

// One of the two orders.
struct Matches::Parts {
  Work work;
  std::optional<Timeline> times;  // oldest first
  std::optional<NumberOrder> numbers;
  bool newest;

  // How many matches come before the position. `with`: a match at the position counts, too.
  Awaitable<std::uint64_t> before(Position position, bool with) {
    if (numbers) co_return co_await numbers->rank(position, with);
    auto total = co_await times->total();
    bool own = newest ? !with : with;  // whether a match at the position is among those counted
    auto older = own ? times->up_to(position.id) : times->older(position.id);
    auto count = co_await std::move(older);
    co_return newest ? total - count : count;
  }
};

Matches::Matches(Reader& reader, Question question, Keeping keeping)
    : parts_(std::make_unique<Parts>()) {
  auto& parts = *parts_;
  auto sort = question.sort;
  parts.newest = sort == Sort::newest;
  if (sorts_by_value(sort)) {
    parts.numbers.emplace(reader, std::move(question.selection), question.sort_by,
                          sort == Sort::highest, keeping, parts.work);
  } else {
    parts.times.emplace(reader, std::move(question.selection), question.total, keeping, parts.work);
  }
}

Matches::~Matches() = default;

const Work& Matches::work() const {
  return parts_->work;
}

Awaitable<std::uint64_t> Matches::total() {
  return parts_->times ? parts_->times->total() : parts_->numbers->total();
}

Awaitable<std::optional<Position>> Matches::nth(std::uint64_t n) {
  auto found = co_await read_from(n, 1);
  if (found.empty()) co_return std::nullopt;
  co_return found[0];
}

Awaitable<std::uint64_t> Matches::rank(const Position& position) {
  return parts_->before(position, false);
}

Awaitable<std::vector<Position>> Matches::read(std::optional<Position> from, bool backward,
                                               std::size_t limit) {
  if (!backward) {
    std::uint64_t n = 0;
    if (from) n = co_await parts_->before(*from, true);
    co_return co_await read_from(n, limit);
  }
  auto end = from ? parts_->before(*from, false) : total();
  auto n = co_await std::move(end);
  auto count = std::min<std::uint64_t>(limit, n);
  auto found = co_await read_from(n - count, static_cast<std::size_t>(count));
  std::reverse(found.begin(), found.end());
  co_return found;
}

Awaitable<std::vector<Position>> Matches::read_from(std::uint64_t n, std::size_t limit) {
  auto& parts = *parts_;
  if (parts.numbers) co_return co_await parts.numbers->read(n, limit);
  auto total = co_await parts.times->total();
  auto count = std::min<std::uint64_t>(limit, total - std::min(n, total));
  auto from = parts.newest ? total - std::min(n, total) - count : n;
  auto ids = co_await parts.times->read(from, static_cast<std::size_t>(count));
  if (parts.newest) std::reverse(ids.begin(), ids.end());
  std::vector<Position> found;
  found.reserve(ids.size());
  for (const auto& id : ids) found.push_back({id});
  co_return found;
}

}  // namespace quire::bitmap_index
