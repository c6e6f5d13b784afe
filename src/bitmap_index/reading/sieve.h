// Which ids match a selection, block by block.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"

namespace quire::bitmap_index {

// Sets the bits of all ids of a block.
void fill(Words& words, std::size_t ids);

// Clears the bits of the ids that the term does not select. `row` is that of the term's facet in
// the block. False: no bit is left. `words` is of the ids of the block, and some bit is set; what
// `scratch` has is lost.
bool narrow(const Term& term, const BlockRow& row, Words& words, Words& scratch);

// The positions and rests of an entry of a number.
struct Rest {
  std::size_t position;
  std::uint64_t rest;
};
std::vector<Rest> rests_of(const BlockRow& row, std::size_t entry);

// The rows of a facet, block by block, with their seals. Absent: the block has none.
struct Column {
  FacetNumber facet;
  std::optional<std::string_view> row = {};   // of the present block
  std::optional<std::string_view> next = {};  // of the block after, on its way
  std::optional<Rows> rows = {};              // absent: before begin()

  void begin(Reader& reader) { rows.emplace(reader.rows(facet)).seek({}); }
  // Lets the row of the block after come, which starts at `start`.
  void fetch(const Ulid& start);
  void step() { row = next; }
  // The row of the present block, which starts at `start` and has a row.
  BlockRow open(Reader& reader, const Ulid& start) const;
};

// One task at a time. Throws as Reader.
class Sieve {
 public:
  // Both must outlive it.
  Sieve(Reader& reader, const Selection& selection);

  // At most so many ids of the product match. 0: none does.
  std::uint64_t max_matches();

  // Has the rows of a facet at hand, too, wherever next() goes: watched(i) of the i-th such facet.
  // Before the first next().
  void watch(FacetNumber facet);

  // Moves to the next block that may have matches; the first time, to the first such block. Where
  // few blocks have the words it may end at others in between, so that it never takes long.
  // False: there is none. Not after move_to().
  bool next();
  // Moves to a block that has ids.
  void move_to(const Ulid& start);

  // The present block: its start, its ids, how many of them match, and which.
  const Ulid& start() const { return start_; }
  std::size_t ids() const { return words_ids_; }  // known where some match
  std::size_t count() const { return count_; }
  const Words& words() const { return words_; }
  // Absent: no id of the block has a value. Where some match.
  std::optional<BlockRow> watched(std::size_t i) const;

 private:
  struct TermColumn {
    const Term* term;
    std::uint64_t most;       // at most so many ids are selected
    std::vector<Code> codes;  // one of which each of them has; empty: not known
    Column column;
  };
  struct Group {
    Ulid start;
    std::optional<Ulid> end;
  };
  void measure(TermColumn& column);
  void find_groups();
  void begin();
  Rows& leading();
  bool lead();
  void fetch();
  bool fetch_words();
  bool filter();

  Reader& reader_;
  std::vector<TermColumn> columns_;  // the sharpest first
  std::vector<Column> watched_;
  AskedWords* asked_ = nullptr;  // null: the selection has no words
  std::optional<WordColumn> words_column_;
  // Leads from block to block: the words, but where few groups may match; else the rows of the
  // sharpest column, or of all ids where none needs a value.
  std::optional<Rows> every_;
  bool words_lead_ = false;
  bool begun_ = false;
  bool nothing_;
  std::optional<std::uint64_t> max_matches_;
  std::optional<std::vector<Group>> groups_;  // of level 1, that may have matches. Absent: all
  std::size_t group_ = 0;
  Ulid start_;
  std::optional<Ulid> next_;  // the start of the block after; its rows are on their way
  Words words_, scratch_;
  std::size_t words_ids_ = 0, count_ = 0;
};

}  // namespace quire::bitmap_index
