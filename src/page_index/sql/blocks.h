// Counts of blocks, which make the n-th entry and the rank of an id cheap at any depth. The
// comments of a long product lie in blocks of some hundreds, in id order; blocks of level 0 hold
// comments, and blocks of each level above hold blocks of the level below. A block counts its
// comments by cell, so one set of blocks serves all lists and their unions. (A counted B-tree in
// rows: Knuth, The Art of Computer Programming 3, 6.2.3.)
#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/facets.h"
#include "page_index/sql/database/connection.h"
#include "quire/ulid.h"

namespace quire::sql {

// Comments by cell; no count is 0. Flat, because a question reads a hundred of them.
using CellCounts = boost::container::flat_map<Cell, std::uint64_t>;

std::uint64_t sum_of(const CellCounts& counts);
void add(CellCounts& to, const CellCounts& counts);

// The ids from `low` to just before `high`.
struct IdRange {
  Ulid low = {};
  std::optional<Ulid> high = {};
};
std::string condition(const IdRange& ids);  // " AND id >= …"

// A block has the ids from `first` to the next block of its level, or to the end of the block above
// it. A block without comments is not kept: its ids then belong to the block before it.
struct Block {
  Ulid first;
  CellCounts counts;

  friend bool operator==(const Block&, const Block&) = default;
};

// "de/1=3,en/5=120". parse_counts() throws Unusable for another text.
std::string text_of(const CellCounts& counts);
CellCounts parse_counts(std::string_view text);

// The blocks of a level that begin in `ids`, in id order. `product`: as a literal.
std::vector<Block> read_blocks(Connection& connection, const std::string& product, int level,
                               const IdRange& ids);
// The comments of a product by cell, within `ids`.
CellCounts count_comments(Connection& connection, const std::string& product, const IdRange& ids);

}  // namespace quire::sql
