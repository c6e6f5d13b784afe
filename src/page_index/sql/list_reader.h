// Reads the lists of one product at one moment.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "page_index/page_index.h"
#include "page_index/sql/blocks.h"

namespace quire::sql {

// Finds the block by counts, then walks from its nearer end, along the index that has the list in
// order. So no question walks past more comments than a block has.
class ListReader {
 public:
  ListReader(Connection& connection, std::string product);

  std::vector<std::uint64_t> lengths(std::span<const Cell> lists);
  std::vector<std::vector<Ulid>> slices(std::span<const RankRange> ranges);
  std::vector<std::uint64_t> ranks(std::span<const Cell> lists, const Ulid& id);
  // Absent: the lists are shorter than n + 1 ids.
  std::optional<Ulid> nth_of_union(std::vector<Cell> lists, std::uint64_t length, std::uint64_t n);

 private:
  struct Extent {
    CellCounts counts;
    int top = -1;       // the highest level of blocks; -1: there are none
    Ulid newest_block;  // where the last block of level 0 begins
  };
  // Where the n-th of some lists is: within `ids`, which hold `count` of them, `skip` come before.
  struct Stretch {
    IdRange ids;
    std::uint64_t skip, count;
  };

  const Extent& extent();
  std::uint64_t length(const Cell& list);
  // The blocks of a level within `ids`, which hold all that `above` counts.
  const std::vector<Block>& blocks(int level, const IdRange& ids, const CellCounts& above);
  // The block of the n-th of all comments in `lists`; n is less than `count`, their number.
  Stretch place(std::span<const Cell> lists, std::uint64_t n, std::uint64_t count);
  CellCounts before(const Ulid& id);
  std::string slice(const RankRange& range, std::uint64_t length);
  // "FROM … WHERE …", which selects the rows of a list, or of disjoint lists.
  std::string rows_of(const Cell& list) const;
  std::string rows_of(std::span<const Cell> lists) const;

  Connection& connection_;
  std::string product_;  // as a literal
  // All statements of a question see one moment, so their results may be kept.
  std::optional<Transaction> transaction_;
  std::optional<Extent> extent_;
  std::map<std::pair<int, Ulid>, std::vector<Block>> blocks_;  // by level, and where they begin
};

}  // namespace quire::sql
