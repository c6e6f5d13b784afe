#include "bitmap_index/reading/totals.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {

// sums_[i] is of the blocks from i & (i + 1) to i.
Totals::Totals(Starts starts, std::vector<std::uint32_t> counts)
    : starts_(std::move(starts)), sums_(std::move(counts)) {
  for (auto count : sums_) total_ += count;
  if (total_ > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("a product has too many comments to count");
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (auto next = i | (i + 1); next < sums_.size()) sums_[next] += sums_[i];
  }
}

// Halves the blocks that come into question, the largest sums first.
std::optional<Spot> Totals::locate(std::uint64_t n) const {
  if (n >= total_) return {};
  std::size_t passed = 0;
  for (auto step = std::bit_floor(sums_.size()); step > 0; step /= 2) {
    if (passed + step > sums_.size() || sums_[passed + step - 1] > n) continue;
    passed += step;
    n -= sums_[passed - 1];
  }
  return Spot{(*starts_)[passed], n};
}

std::uint64_t Totals::before(const Ulid& start) const {
  return starts_ ? sum_of(place_of(start)) : 0;
}

std::size_t Totals::place_of(const Ulid& start) const {
  auto at = std::lower_bound(starts_->begin(), starts_->end(), start);
  return static_cast<std::size_t>(at - starts_->begin());
}

// Of the first blocks.
std::uint64_t Totals::sum_of(std::size_t blocks) const {
  std::uint64_t sum = 0;
  for (auto i = blocks; i > 0; i &= i - 1) sum += sums_[i - 1];
  return sum;
}

// `by` may stand for a negative number: sums are modulo 2^32.
void Totals::change(std::size_t place, std::uint32_t by) {
  for (auto i = place; i < sums_.size(); i |= i + 1) sums_[i] += by;
}

void Totals::add(const Ulid& id, bool matches) {
  auto at = std::upper_bound(starts_->begin(), starts_->end(), id) - starts_->begin();
  change(static_cast<std::size_t>(at - 1), matches ? 1 : ~std::uint32_t{0});
  total_ += matches ? 1 : ~std::uint64_t{0};
}

void Totals::set(const Ulid& start, std::uint32_t count) {
  auto place = place_of(start);
  auto former = sum_of(place + 1) - sum_of(place);
  change(place, count - static_cast<std::uint32_t>(former));
  total_ += count - former;
}

Starts starts_of(std::span<const Block> blocks) {
  std::vector<Ulid> starts{Ulid{}};
  for (const auto& block : blocks) {
    if (block.start != Ulid{}) starts.push_back(block.start);
  }
  return std::make_shared<const std::vector<Ulid>>(std::move(starts));
}

namespace {

constexpr std::uint64_t one(bool more) {
  return more ? 1 : ~std::uint64_t{0};
}

void add_code(std::vector<ValueCount>& values, Code code, bool matches) {
  auto at = std::lower_bound(values.begin(), values.end(), code,
                             [](const ValueCount& each, Code of) { return each.code < of; });
  if (at == values.end() || at->code != code) at = values.insert(at, {code, 0});
  at->ids += one(matches);
  if (at->ids == 0) values.erase(at);
}

}  // namespace

void Histogram::add(std::span<const Code> codes, bool matches) {
  total += one(matches);
  for (auto code : codes) add_code(values, code, matches);
}

bool ValueCounts::add(std::span<const Value> of_id, bool matches) {
  total += one(matches);
  if (of_id.empty()) return true;
  ids += one(matches);
  for (const auto& value : of_id) {
    if (each) add_code(values, value.code, matches);
    if (!value.number) continue;
    auto number = decode_number({value.code, value.rest});
    if (!extremes) extremes.emplace(number, number);
    auto& [least, greatest] = *extremes;
    if (!matches && (number == least || number == greatest)) return false;
    least = std::min(least, number);
    greatest = std::max(greatest, number);
  }
  return true;
}

}  // namespace quire::bitmap_index
