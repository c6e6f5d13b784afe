// Sets of ids with ranks, many sets in one LMDB database. Each set is a skip list. A hash of the id
// decides its levels, as in FoundationDB's Record Layer (RankedSet,
// https://github.com/FoundationDB/fdb-record-layer). Level 0 has every id. Level L has about one id
// of 32^L, each with the number of ids from it up to the next entry of its level. A level with
// entries has a head too, which counts the ids before its first entry. So the stored bytes depend
// on the set alone, not on the order in which its ids came. Format: docs/formats/store.md, "Ranks".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lmdb/environment.h"
#include "quire/ulid.h"

namespace quire::lmdb {

using List = std::uint32_t;  // the number of a set within its database

// The highest level of an id. One id of 32 reaches the next level.
int level_of(const Ulid& id);

// The key of an entry: list, level, id. The head of a level has no id, so it sorts before all
// entries.
struct RankedKey {
  std::array<char, 21> bytes;
  std::size_t size;

  RankedKey(List list, int level);
  RankedKey(List list, int level, const Ulid& id);
  operator std::string_view() const { return {bytes.data(), size}; }
  // Copies another key, but for its level.
  void take(std::string_view key, int level);
};

// Whether a key begins with the list and level of `head`.
bool within(std::string_view key, const RankedKey& head);

// Whether the counts of a database carry a check over key and count.
enum class Counts : bool { plain, checked };

// A database of ranked sets.
struct Ranked {
  MDB_dbi dbi = 0;
  Counts counts = Counts::plain;

  Ranked() = default;
  Ranked(MDB_dbi dbi, Counts counts = Counts::plain) : dbi(dbi), counts(counts) {}
  operator MDB_dbi() const { return dbi; }
};

// The count of ids in an entry above level 0. Throws std::runtime_error if the entry is damaged.
std::uint64_t count_of(Counts counts, std::string_view key, std::string_view value);
// The value of such an entry. A checked count is less than 2^40.
std::array<char, 8> count_value(Counts counts, std::string_view key, std::uint64_t count);
// The highest level of a set. Moves the cursor.
int top_level(Cursor& cursor, List list);

// Reads sets as one transaction sees them. Ranks count from 0, smallest id first. Throws
// std::runtime_error when levels contradict each other, and Failure when LMDB fails.
class RankedReader {
 public:
  RankedReader(MDB_txn* txn, const Ranked& sets) : cursor_(txn, sets), counts_(sets.counts) {}

  std::uint64_t length(List list);
  std::optional<Ulid> nth(List list, std::uint64_t n);
  // How many ids of the set are smaller than `id`, which need not be in the set.
  std::uint64_t rank(List list, const Ulid& id);
  // At most `count` ids, beginning at rank n.
  std::vector<Ulid> slice(List list, std::uint64_t n, std::size_t count);

 private:
  int top(List list);
  std::uint64_t count() const { return count_of(counts_, cursor_.key(), cursor_.value()); }
  bool seek_nth(List list, std::uint64_t n);
  bool forward(List list, int level, std::uint64_t& n);
  bool backward(List list, int level, std::uint64_t left, std::uint64_t& n);
  std::uint64_t walk(const RankedKey& end, RankedKey& from, RankedKey& to, std::uint64_t& count);
  std::uint64_t walk_back(const RankedKey& end, RankedKey& from, RankedKey& to,
                          std::uint64_t& count);

  Cursor cursor_;
  Counts counts_;
  std::vector<std::pair<List, int>> tops_;  // the top levels of the few lists of a request
};

struct RankedChange {
  Ulid id;
  bool insert;  // false: erase
};

// Applies changes to one set, at a cost in proportion to their number. `changes` are sorted by id
// and have each id once; the set has no id that is inserted, and every id that is erased.
void apply(WriteTransaction& txn, const Ranked& sets, List list,
           std::span<const RankedChange> changes);

}  // namespace quire::lmdb
