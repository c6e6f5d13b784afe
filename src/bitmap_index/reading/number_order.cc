#include "bitmap_index/reading/number_order.h"

#include <algorithm>
#include <utility>

namespace quire::bitmap_index {
namespace {

constexpr std::uint64_t max_gathered = 16'384;  // matches
constexpr std::uint64_t max_branches = 256;     // of a code

NumberRange whole(Code code) {
  return {{code, 0}, {code, max_rest(code)}};
}

}  // namespace

// A branch, and the branches of smaller ranges that it is divided into.
struct NumberOrder::Branch {
  std::optional<NumberRange> range;  // absent: the matches without a number, or all
  std::uint64_t matches = 0;
  // Once it is needed, one of the three.
  std::vector<Branch> branches = {};
  std::vector<Position> gathered = {};
  std::unique_ptr<Timeline> timeline = {};

  bool ready() const { return !branches.empty() || !gathered.empty() || timeline; }
};

NumberOrder::NumberOrder(Reader& reader, Selection selection, FacetNumber by, bool greatest_first,
                         Keeping keeping, Work& work)
    : reader_(reader),
      selection_(std::move(selection)),
      by_(by),
      greatest_first_(greatest_first),
      keeping_(keeping),
      work_(work) {}

NumberOrder::~NumberOrder() = default;

// Where the selection is of the same facet, or there is none, the levels have the counts.
std::optional<Histogram> NumberOrder::histogram_of_levels() {
  auto tally = tally_of(selection_);
  if (!tally || (tally->facet != by_ && tally->facet != every_id)) return {};
  Histogram histogram{reader_.values(by_), Levels(reader_, *tally).total()};
  if (tally->facet == by_) {
    std::erase_if(histogram.values, [&](const ValueCount& value) {
      bool named = std::binary_search(tally->codes.begin(), tally->codes.end(), value.code);
      return named == tally->without;
    });
  }
  return histogram;
}

Awaitable<std::shared_ptr<const Counted>> NumberOrder::histogram() {
  if (selection_.nothing || reader_.length() == 0)
    co_return std::make_shared<const Counted>(Histogram());
  if (auto known = histogram_of_levels())
    co_return std::make_shared<const Counted>(std::move(*known));
  auto* totals = keeping_.totals;
  Subject subject{selection_, by_, Subject::Of::histogram};
  std::shared_ptr<const Counted> counted;
  if (totals) counted = totals->find(reader_.product(), subject, keeping_.generation);
  if (counted) {
    work_.kept = true;
    co_return counted;
  }
  std::vector<CountedFacet> facets{{by_, FacetType::choice}};  // of which no extremes are wanted
  auto counts = co_await count_values(reader_, selection_, facets, Under::whole_filter, work_);
  counted =
      std::make_shared<const Counted>(Histogram{std::move(counts[0].values), counts[0].total});
  if (totals) totals->keep(reader_.product(), subject, keeping_.generation, *counted);
  co_return counted;
}

Awaitable<void> NumberOrder::begin() {
  if (all_) co_return;
  auto counted = co_await histogram();
  const auto& histogram = std::get<Histogram>(*counted);
  auto all = std::make_unique<Branch>(Branch{{}, histogram.total});
  std::uint64_t numbered = 0;
  for (auto [code, ids] : histogram.values) {
    all->branches.push_back({whole(code), ids});
    numbered += ids;
  }
  if (numbered > histogram.total) contradict("more ids have a number than there are");
  if (greatest_first_) std::reverse(all->branches.begin(), all->branches.end());
  if (numbered < histogram.total) all->branches.push_back({{}, histogram.total - numbered});
  all_ = std::move(all);
}

// The matches whose number is in a range of one code.
Selection NumberOrder::matches_of(const NumberRange& range) const {
  auto code = range.low.code;
  if (max_rest(code) == 0) return selection_.without(by_).with({.facet = by_, .any_of = {code}});
  if (range == whole(code)) return selection_.with({.facet = by_, .any_of = {code}});
  bool single = range.low == range.high;
  return (single ? selection_.without(by_) : selection_).with({.facet = by_, .within = {range}});
}

std::unique_ptr<Timeline> NumberOrder::timeline_of(const Branch& branch) {
  Selection selection = selection_;
  if (branch.range) selection = matches_of(*branch.range);
  if (!branch.range && branch.matches < all_->matches)
    selection = selection_.with({.facet = by_, .no_value = true});
  return std::make_unique<Timeline>(reader_, std::move(selection), std::nullopt, keeping_, work_);
}

Awaitable<void> NumberOrder::prepare(Branch& branch) {
  if (branch.ready()) co_return;
  if (!branch.range || branch.range->low == branch.range->high) {
    branch.timeline = timeline_of(branch);
    auto total = co_await branch.timeline->total();
    if (total != branch.matches) contradict("a number has other ids than were counted");
  } else if (branch.matches <= max_gathered) {
    co_await gather(branch);
  } else {
    co_await divide(branch);
  }
}

Awaitable<void> NumberOrder::gather(Branch& branch) {
  auto code = branch.range->low.code;
  auto add = [&](const Ulid& start, const std::vector<Rest>& rests) {
    BlockIds ids(reader_, start);
    for (auto [position, rest] : rests)
      branch.gathered.push_back({ids.at(position), decode_number({code, rest})});
  };
  co_await scan_rests(reader_, matches_of(*branch.range), by_, code, work_, add);
  if (branch.gathered.size() != branch.matches)
    contradict("a number has other ids than were counted");
  std::sort(branch.gathered.begin(), branch.gathered.end(),
            [&](const Position& a, const Position& b) { return precedes(a, b); });
}

Awaitable<void> NumberOrder::divide(Branch& branch) {
  auto [low, high] = *branch.range;
  auto width = (high.rest - low.rest) / max_branches + 1;
  std::vector<std::uint64_t> counts((high.rest - low.rest) / width + 1);
  auto count = [&](const Ulid&, const std::vector<Rest>& rests) {
    for (auto each : rests) {
      if (each.rest < low.rest || each.rest > high.rest) contradict("a rest is out of its range");
      ++counts[(each.rest - low.rest) / width];
    }
  };
  co_await scan_rests(reader_, matches_of(*branch.range), by_, low.code, work_, count);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto from = low.rest + i * width;
    NumberRange range{{low.code, from}, {low.code, std::min(from + width - 1, high.rest)}};
    if (counts[i] > 0) branch.branches.push_back({range, counts[i]});
    sum += counts[i];
  }
  if (sum != branch.matches) contradict("a number has other ids than were counted");
  if (greatest_first_) std::reverse(branch.branches.begin(), branch.branches.end());
}

// Both have a number.
bool NumberOrder::precedes(const Position& a, const Position& b) const {
  if (a.value != b.value) return greatest_first_ ? a.value > b.value : a.value < b.value;
  return a.id > b.id;
}

Awaitable<std::uint64_t> NumberOrder::total() {
  co_await begin();
  co_return all_->matches;
}

Awaitable<std::uint64_t> NumberOrder::rank(const Position& position, bool with) {
  co_await begin();
  if (all_->matches == 0) co_return 0;
  co_return co_await rank_in(*all_, position, with);
}

Awaitable<std::uint64_t> NumberOrder::rank_in(Branch& branch, const Position& position, bool with) {
  co_await prepare(branch);
  if (branch.timeline) {
    auto behind = with ? branch.timeline->older(position.id) : branch.timeline->up_to(position.id);
    auto count = co_await std::move(behind);
    co_return branch.matches - count;
  }
  if (!branch.gathered.empty()) {
    auto before = [&](const Position& a, const Position& b) { return precedes(a, b); };
    const auto& sorted = branch.gathered;
    auto at = with ? std::upper_bound(sorted.begin(), sorted.end(), position, before)
                   : std::lower_bound(sorted.begin(), sorted.end(), position, before);
    co_return static_cast<std::uint64_t>(at - sorted.begin());
  }
  std::uint64_t sum = 0;
  for (auto& each : branch.branches) {
    if (!each.range && position.value) break;
    if (!each.range || !position.value) {
      if (each.range) sum += each.matches;
      if (!each.range) sum += co_await rank_in(each, position, with);
      continue;
    }
    auto number = encode_number(*position.value);
    if (each.range->has(number)) {
      auto inside = co_await rank_in(each, position, with);
      co_return sum + inside;
    }
    if (greatest_first_ ? each.range->high < number : number < each.range->low) break;
    sum += each.matches;
  }
  co_return sum;
}

Awaitable<std::vector<Position>> NumberOrder::read(std::uint64_t n, std::size_t count) {
  co_await begin();
  std::vector<Position> found;
  count = static_cast<std::size_t>(
      std::min<std::uint64_t>(count, all_->matches - std::min(n, all_->matches)));
  found.reserve(count);
  if (count > 0) co_await read_in(*all_, n, count, found);
  co_return found;
}

// The branch has `count` matches from its n-th on.
Awaitable<void> NumberOrder::read_in(Branch& branch, std::uint64_t n, std::size_t count,
                                     std::vector<Position>& out) {
  co_await prepare(branch);
  if (branch.timeline) {
    auto ids = co_await branch.timeline->read(branch.matches - n - count, count);
    std::optional<std::int64_t> value;
    if (branch.range) value = decode_number(branch.range->low);
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) out.push_back({*id, value});
    co_return;
  }
  if (!branch.gathered.empty()) {
    auto from = branch.gathered.begin() + static_cast<std::ptrdiff_t>(n);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(count));
    co_return;
  }
  for (auto& each : branch.branches) {
    if (n >= each.matches) {
      n -= each.matches;
      continue;
    }
    auto here = static_cast<std::size_t>(std::min<std::uint64_t>(count, each.matches - n));
    if (here > 0) co_await read_in(each, n, here, out);
    count -= here;
    n = 0;
    if (count == 0) break;
  }
}

}  // namespace quire::bitmap_index
