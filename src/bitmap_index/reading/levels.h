// Finds the n-th of ids, and ranks, from the counts of the levels and without a scan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bitmap_index/reading/reader.h"

namespace quire::bitmap_index {

// Ids that the levels count: those with one of the codes, or with `without` all others. No id has
// two of the codes. With every_id the only code is 0.
struct Tally {
  FacetNumber facet = every_id;
  std::vector<Code> codes = {0};  // sorted
  bool without = false;
};

// A place in a sequence of ids: the block, and how many of the sequence come before it there.
struct Spot {
  Ulid start;  // of the block
  std::uint64_t index;
  friend bool operator==(const Spot&, const Spot&) = default;
};

// One task at a time. Throws as Reader.
class Levels {
 public:
  Levels(Reader& reader, Tally tally) : reader_(reader), tally_(std::move(tally)) {}

  std::uint64_t total();
  // The block of the n-th id, oldest first. Absent: there are fewer.
  std::optional<Spot> locate(std::uint64_t n);
  // How many ids are in the blocks before the one that starts at `start`.
  std::uint64_t before(const Ulid& start);

 private:
  Reader& reader_;
  Tally tally_;
  std::optional<std::uint64_t> total_;
};

}  // namespace quire::bitmap_index
