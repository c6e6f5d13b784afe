#include "page_index/search.h"

#include <algorithm>
#include <cmath>

namespace quire {
namespace {

constexpr std::uint64_t few = 256;  // so many ids are read instead of searched
constexpr std::size_t max_medians = 8;
constexpr double margin = 2;  // standard deviations on each side of the expected rank

// The first half of an id as a number: its time, and 16 of its random bits.
std::uint64_t leading(const Ulid& id) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | id.bytes[static_cast<std::size_t>(i)];
  return value;
}

Ulid starting_with(std::uint64_t value) {
  Ulid id;
  for (int i = 7; i >= 0; --i, value >>= 8)
    id.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value);
  return id;
}

}  // namespace

UnionSearch::UnionSearch(std::vector<std::uint64_t> lengths, std::uint64_t n) : n_(n) {
  for (auto length : lengths) spans_.push_back({0, length});
}

std::uint64_t UnionSearch::total() const {
  std::uint64_t sum = 0;
  for (const auto& span : spans_) sum += span.width();
  return sum;
}

// The rank of the answer within the ranges that are left.
std::uint64_t UnionSearch::remaining() const {
  std::uint64_t before = 0;
  for (const auto& span : spans_) before += span.from;
  return n_ - before;
}

bool UnionSearch::lost() const {
  std::uint64_t before = 0;
  for (const auto& span : spans_) {
    if (span.from > span.to) return true;
    before += span.from;
  }
  return before > n_ || n_ - before >= total();
}

bool UnionSearch::narrow() const {
  auto alive = std::count_if(spans_.begin(), spans_.end(),
                             [](const Span& span) { return span.width() > 0; });
  return alive == 1 || total() <= few;
}

std::size_t UnionSearch::widest() const {
  auto at = std::max_element(spans_.begin(), spans_.end(),
                             [](const Span& a, const Span& b) { return a.width() < b.width(); });
  return static_cast<std::size_t>(at - spans_.begin());
}

std::vector<Pivot> UnionSearch::pivots() const {
  switch (method_) {
    case Method::expected:
      return expected();
    case Method::by_time:
      return by_time();
    case Method::medians:
      return medians();
  }
  return {};
}

// The lists of one product are mostly evenly mixed. Then the number of ids of the widest list among
// the first ids of the union has a hypergeometric distribution. A pivot on either side of the
// expected rank narrows every range to about the square root of its width.
std::vector<Pivot> UnionSearch::expected() const {
  auto list = widest();
  auto width = static_cast<double>(spans_[list].width());
  auto all = static_cast<double>(total());
  auto before = static_cast<double>(remaining());
  double part = width / all;
  double deviation = std::sqrt(before * part * (1 - part) * (all - before) / all);
  auto rank = [&](double at) {
    return spans_[list].from + static_cast<std::uint64_t>(std::clamp(at, 0.0, width - 1));
  };
  return {{list, rank(before * part - margin * deviation - 1)},
          {list, rank(before * part + margin * deviation + 1)}};
}

// For lists that are not mixed: ids begin with their time, so the time of the answer is about in
// proportion between the times of two known ids, whichever list holds the answer.
std::vector<Pivot> UnionSearch::by_time() const {
  auto low = leading(below_->id), high = leading(above_->id);
  double part =
      static_cast<double>(n_ - below_->rank) / static_cast<double>(above_->rank - below_->rank);
  double spread = 0.02 + margin / 2 / std::sqrt(static_cast<double>(total()));
  std::vector<Pivot> pivots;
  for (double at : {part - spread, part + spread}) {
    auto distance = static_cast<double>(high - low) * std::clamp(at, 0.0, 1.0);
    pivots.push_back({.id = starting_with(low + static_cast<std::uint64_t>(distance))});
  }
  return pivots;
}

// Narrows lists of any kind: at least halves the widest range, and passes several lists at once
// where the lists lie apart in time.
std::vector<Pivot> UnionSearch::medians() const {
  std::vector<std::size_t> alive;
  for (std::size_t list = 0; list < spans_.size(); ++list) {
    if (spans_[list].width() > 0) alive.push_back(list);
  }
  std::vector<Pivot> pivots;
  auto add = [&](std::size_t list) {
    pivots.push_back({list, spans_[list].from + spans_[list].width() / 2});
  };
  add(widest());
  for (std::size_t i = 0; i < max_medians; ++i) {
    auto list = alive[i * (alive.size() - 1) / (max_medians - 1)];
    if (pivots.back().list != list) add(list);
  }
  return pivots;
}

bool UnionSearch::times_apart() const {
  return below_ && above_ && leading(above_->id) - leading(below_->id) > 16;
}

void UnionSearch::feed(std::span<const Pivot> asked, std::span<const Probe> probes) {
  auto before = total();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const auto& [id, ranks] = probes[i];
    bool member = !asked[i].id;
    std::uint64_t rank = 0;
    for (auto each : ranks) rank += each;
    if (member && rank == n_) found_ = id;
    for (std::size_t list = 0; list < spans_.size(); ++list) {
      auto& [from, to] = spans_[list];
      bool passed = member && list == asked[i].list;
      if (rank <= n_) from = std::max(from, ranks[list] + (passed && rank < n_));
      if (rank > n_) to = std::min(to, ranks[list]);
    }
    if (rank <= n_ && (!below_ || below_->id < id)) below_ = Bound{id, rank};
    if (rank > n_ && (!above_ || id < above_->id)) above_ = Bound{id, rank};
  }
  bool slow = total() > before / 4;
  if (slow || method_ == Method::medians)
    method_ = method_ != Method::by_time && times_apart() ? Method::by_time : Method::medians;
}

std::vector<UnionSearch::Rest> UnionSearch::rest() const {
  std::vector<Rest> rest;
  for (std::size_t list = 0; list < spans_.size(); ++list) {
    const auto& span = spans_[list];
    if (span.width() == 0) continue;
    if (span.width() == total()) return {{list, span.from + remaining(), 1}};
    rest.push_back({list, span.from, static_cast<std::size_t>(span.width())});
  }
  return rest;
}

std::optional<Ulid> UnionSearch::finish(const std::vector<std::vector<Ulid>>& ids) const {
  std::vector<Ulid> left;
  for (const auto& each : ids) left.insert(left.end(), each.begin(), each.end());
  auto rank = rest().size() == 1 ? 0 : remaining();
  if (rank >= left.size()) return {};
  auto nth = left.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(left.begin(), nth, left.end());
  return *nth;
}

}  // namespace quire
