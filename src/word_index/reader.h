// Reads an index of words in one state of its store.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "bitmap_index/databases.h"
#include "lmdb/cursor.h"
#include "word_index/databases.h"
#include "word_index/runs.h"
#include "word_index/state.h"
#include "word_index/terms_of_segment.h"
#include "words/stemmers.h"

namespace quire::word_index {

// The rows in a store. One thread at a time. What it finds lives until the transaction's next
// write, too.
class CursorRows : public RowSource {
 public:
  CursorRows(const Databases& databases, const lmdb::Transaction& txn)
      : cursor_(txn, databases.rows), seed_(databases.rows.seed) {}

  std::optional<Found> at_or_before(std::string_view key) override;
  std::optional<Found> next() override;

 private:
  Found found() const;

  lmdb::Cursor cursor_;
  std::uint64_t seed_;
  bool began_ = false;
};

// Both must outlive it. One thread at a time. All throw lmdb::Damaged where a row is.
class Reader {
 public:
  Reader(const Databases& databases, const lmdb::Transaction& txn)
      : db_(databases), txn_(txn), contents_(read_contents(databases, txn)) {}

  // Only in State::ready does a question have an answer.
  State state() const { return contents_.state; }
  // How many comments building has passed. 0: it does not build.
  std::uint64_t passed() const { return contents_.work ? contents_.work->passed : 0; }

  // Sorted; they live as long as the reader.
  std::span<const Segment> segments() const { return contents_.segments.segments; }
  // That comments have, or had.
  words::Stemmers stemmers() const { return contents_.segments.stemmers; }
  RowSource& rows();
  // Of a block of the bitmap index. Fewer ids than the block has, or more, are damage where the
  // state is ready: whoever knows the block compares.
  Runs runs(bitmap_index::Product product, const Ulid& start) const;

 private:
  const Databases& db_;
  const lmdb::Transaction& txn_;
  Contents contents_;
  std::optional<CursorRows> rows_;
};

}  // namespace quire::word_index
