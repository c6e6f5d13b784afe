// What is counted once for a selection, so that later answers need no scan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/levels.h"
#include "bitmap_index/reading/reader.h"

namespace quire::bitmap_index {

// Where the blocks of a product start, in order; first all zeros, whether or not that block has
// ids. Shared by the totals of many selections.
using Starts = std::shared_ptr<const std::vector<Ulid>>;

// The matches of each block, with sums over blocks (Fenwick, "A new data structure for cumulative
// frequency tables", 1994). At most 2^32 - 1 matches.
class Totals {
 public:
  Totals() = default;
  // A count for each block.
  Totals(Starts starts, std::vector<std::uint32_t> counts);

  std::uint64_t total() const { return total_; }
  // The block of the n-th match, oldest first. Absent: there are fewer.
  std::optional<Spot> locate(std::uint64_t n) const;
  // How many matches are in the blocks before the one that starts at `start`.
  std::uint64_t before(const Ulid& start) const;

  // An id came to match, or ceased to. The blocks are the same as before.
  void add(const Ulid& id, bool matches);
  // The block that starts at `start` has so many matches now.
  void set(const Ulid& start, std::uint32_t count);

  const Starts& starts() const { return starts_; }
  // Takes equal ones in place of its own.
  void share(Starts starts) { starts_ = std::move(starts); }
  std::size_t bytes() const { return sums_.size() * sizeof(std::uint32_t); }
  friend bool operator==(const Totals& a, const Totals& b) {
    return *a.starts_ == *b.starts_ && a.sums_ == b.sums_;
  }

 private:
  std::size_t place_of(const Ulid& start) const;
  std::uint64_t sum_of(std::size_t blocks) const;
  void change(std::size_t place, std::uint32_t by);

  Starts starts_;
  std::vector<std::uint32_t> sums_;  // of blocks; see Fenwick
  std::uint64_t total_ = 0;
};

Starts starts_of(std::span<const Block> blocks);

// The matches by the values that they have of a facet.
struct Histogram {
  std::vector<ValueCount> values = {};  // by code; none is 0
  std::uint64_t total = 0;              // matches, with or without a value

  void add(std::span<const Code> codes, bool matches);
  std::size_t bytes() const { return values.size() * sizeof(ValueCount); }
  friend bool operator==(const Histogram&, const Histogram&) = default;
};

// The matches by the values that they have of a facet, with all that is shown of a facet.
struct ValueCounts {
  std::vector<ValueCount> values = {};  // by code; values without matches are left out
  std::uint64_t ids = 0;                // matches that have a value
  // The least and the greatest number. Absent: no match has one, or the facet is no number.
  std::optional<std::pair<std::int64_t, std::int64_t>> extremes = {};
  std::uint64_t total = 0;  // matches, with or without a value
  bool each = true;         // whether `values` are counted

  // An id with these values of the facet came to match, or ceased to. False: it had an extreme, so
  // the counts are not known any more.
  bool add(std::span<const Value> of_id, bool matches);
  std::size_t bytes() const { return values.size() * sizeof(ValueCount); }
  friend bool operator==(const ValueCounts&, const ValueCounts&) = default;
};

}  // namespace quire::bitmap_index
