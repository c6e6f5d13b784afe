#include "rank/search.h"

#include <algorithm>
#include <cmath>

namespace quire {
namespace {

constexpr std::uint64_t few = 256;  // ids that are read rather than searched
constexpr double margin = 2;        // standard deviations on each side of the expected place

}  // namespace

UnionSearch::UnionSearch(std::vector<std::uint64_t> lengths, std::uint64_t n) : n_(n) {
  for (auto length : lengths) spans_.push_back({0, length});
}

std::uint64_t UnionSearch::total() const {
  std::uint64_t sum = 0;
  for (const auto& span : spans_) sum += span.width();
  return sum;
}

// The answer's place within what is left.
std::uint64_t UnionSearch::missing() const {
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

// Where lists are evenly mixed, as those of one product mostly are, the answer's rank in the widest
// is known but for chance (of the first so many of all, a hypergeometric number is in that list): a
// pivot on either side of it narrows everything to about the root of what it was. Where they are
// not, quarters are certain to.
std::vector<Pivot> UnionSearch::pivots() const {
  auto widest = std::max_element(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
    return a.width() < b.width();
  });
  auto list = static_cast<std::size_t>(widest - spans_.begin());
  auto width = static_cast<double>(widest->width());
  std::vector<double> places;
  if (slow_) {
    places = {width / 4, width / 2, width * 3 / 4};
  } else {
    auto all = static_cast<double>(total());
    auto before = static_cast<double>(missing());
    double part = width / all;
    double expected = before * part;
    double deviation = std::sqrt(before * part * (1 - part) * (all - before) / all);
    places = {expected - margin * deviation - 1, expected + margin * deviation + 1};
  }
  std::vector<Pivot> pivots;
  for (double place : places) {
    auto at = static_cast<std::uint64_t>(std::clamp(place, 0.0, width - 1));
    if (pivots.empty() || pivots.back().n != widest->from + at)
      pivots.push_back({list, widest->from + at});
  }
  return pivots;
}

void UnionSearch::feed(std::span<const Pivot> asked, std::span<const Probe> probes) {
  auto before = total();
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const auto& [id, ranks] = probes[i];
    std::uint64_t rank = 0;
    for (auto each : ranks) rank += each;
    if (rank == n_) found_ = id;
    for (std::size_t list = 0; list < spans_.size(); ++list) {
      auto& [from, to] = spans_[list];
      bool own = list == asked[i].list;
      if (rank < n_) from = std::max(from, ranks[list] + own);
      if (rank > n_) to = std::min(to, ranks[list]);
    }
  }
  slow_ = probes.empty() || total() > before / 4;
}

std::vector<UnionSearch::Rest> UnionSearch::rest() const {
  std::vector<Rest> rest;
  for (std::size_t list = 0; list < spans_.size(); ++list) {
    const auto& span = spans_[list];
    if (span.width() == 0) continue;
    if (span.width() == total()) return {{list, span.from + missing(), 1}};
    rest.push_back({list, span.from, static_cast<std::size_t>(span.width())});
  }
  return rest;
}

std::optional<Ulid> UnionSearch::finish(const std::vector<std::vector<Ulid>>& ids) const {
  std::vector<Ulid> left;
  for (const auto& each : ids) left.insert(left.end(), each.begin(), each.end());
  auto place = rest().size() == 1 ? 0 : missing();
  if (place >= left.size()) return {};
  auto nth = left.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(left.begin(), nth, left.end());
  return *nth;
}

}  // namespace quire
