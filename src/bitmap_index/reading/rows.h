// The rows of a sealed database whose keys differ in the id at their end alone: the blocks of a
// facet, or the groups of a level.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bitmap_index/databases.h"
#include "lmdb/environment.h"
#include "lmdb/numbers.h"

namespace quire::bitmap_index {

// Rows of the index contradict each other. Throws lmdb::Damaged.
[[noreturn]] void contradict(const char* what);

// A row without its seal. Throws lmdb::Damaged if that does not match.
std::string_view opened(const lmdb::Sealed& database, std::string_view key, std::string_view row);

// Moves over them in the order of their ids. The transaction must outlive it.
class Rows {
 public:
  // The blocks of a facet, the counts of a code on a level, and the runs of words, which are in
  // `slots`.
  static Rows of_blocks(const lmdb::Transaction& txn, const Databases& databases, Product product,
                        FacetNumber facet);
  static Rows of_counts(const lmdb::Transaction& txn, const Databases& databases, Product product,
                        FacetNumber facet, Code code, int level);
  static Rows of_words(const lmdb::Transaction& txn, const lmdb::Sealed& slots, Product product);

  // Before the first move there is no row.
  bool there() const { return there_; }
  bool at(const Ulid& start) const { return there_ && order(start) == 0; }
  const Ulid& start() const { return start_; }
  std::string_view sealed() const { return cursor_.value(); }  // the value with its seal
  std::string_view value() const { return opened(database_, cursor_.key(), sealed()); }
  std::uint64_t count() const;  // the value, of counts

  void seek(const Ulid& start);       // to the first row at or behind `start`
  void seek_back(const Ulid& start);  // to the last row at or before `start`
  // To the last row before `end`; absent: to the last row.
  void seek_below(const std::optional<Ulid>& end);
  void advance(const Ulid& start);  // as seek(); cheap where few rows are passed over
  void next() { settle(cursor_.move(MDB_NEXT)); }
  void previous() { settle(cursor_.move(MDB_PREV)); }

 private:
  Rows(const lmdb::Transaction& txn, const lmdb::Sealed& database, std::string_view prefix);
  bool move_to(const Ulid& start);
  void settle(bool moved);
  bool has_prefix(std::string_view key) const;
  // Below 0: the row is before `start`. 0: it is there.
  int order(const Ulid& start) const { return lmdb::order(start_.view(), start.view()); }

  lmdb::Sealed database_;
  lmdb::Cursor cursor_;
  std::array<char, 31> key_{};  // prefix, then an id
  std::size_t prefix_;
  Ulid start_;
  bool there_ = false;
};

}  // namespace quire::bitmap_index
