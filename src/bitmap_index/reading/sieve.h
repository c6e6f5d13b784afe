// Which ids match a selection, block by block.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"

namespace quire::bitmap_index {

// Clears the bits of the ids that the term does not select. `row` is that of the term's facet in
// the block. False: no bit is left. `words` is of the ids of the block; what `scratch` has is lost.
bool narrow(const Term& term, const BlockRow& row, Words& words, Words& scratch);

// The positions and rests of an entry of a number.
struct Rest {
  std::size_t position;
  std::uint64_t rest;
};
std::vector<Rest> rests_of(const BlockRow& row, std::size_t entry);

// One task at a time. Throws as Reader, which must outlive it.
class Sieve {
 public:
  Sieve(Reader& reader, Selection selection);

  // At most so many ids of the product match. 0: none does.
  std::uint64_t most();

  // Has the rows of a facet at hand, too, wherever next() goes: watched(i) of the i-th such facet.
  // Before the first next().
  void watch(FacetNumber facet);

  // Moves to the next block that may have matches; the first time, to the first such block.
  // False: there is none. Not after move_to().
  bool next();
  // Moves to a block that has ids. Cheapest where blocks come in order.
  void move_to(const Ulid& start);

  // Of the present block: its start, its ids, how many of them match, and which.
  const Ulid& start() const { return start_; }
  std::size_t ids() const { return words_ids_; }  // known where some match
  std::size_t count() const { return count_; }
  const Words& words() const { return words_; }
  // Absent: no id of the block has a value. Where some match.
  std::optional<BlockRow> watched(std::size_t i) const;

 private:
  // The rows of a facet.
  struct Source {
    Rows rows;
    SealedRow row = {};   // of the present block
    SealedRow next = {};  // of the block after

    void move_to(const Ulid& start);
    void fetch(const Ulid& start);
  };
  struct Part {
    Term term;
    std::uint64_t most;       // at most so many ids are selected
    std::vector<Code> codes;  // one of which each of them has; empty: not known
    Source source;
  };
  struct Group {
    Ulid start;
    std::optional<Ulid> end;
  };
  void measure(Part& part);
  void find_groups();
  Rows& leading() { return every_ ? *every_ : parts_[0].source.rows; }
  BlockRow open(const SealedRow& row) const;
  bool lead();
  void fetch();
  bool filter();

  Reader& reader_;
  std::vector<Part> parts_;  // the sharpest first
  std::vector<Source> watched_;
  // Leads from block to block: the rows of the sharpest part, or of all ids where no part needs a
  // value.
  std::optional<Rows> every_;
  bool nothing_;
  std::optional<std::uint64_t> most_;
  std::optional<std::vector<Group>> groups_;  // of level 1, that may have matches. Absent: all
  std::size_t group_ = 0;
  bool begun_ = false;
  Ulid start_;
  std::optional<Ulid> next_;  // the start of the block after; its rows are on their way
  Words words_, scratch_;
  std::size_t words_ids_ = 0, count_ = 0;
};

}  // namespace quire::bitmap_index
