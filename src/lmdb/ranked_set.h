// Sets of ids with ranks, many in one LMDB database: a skip list whose levels are decided by a hash
// of the id, as in FoundationDB's Record Layer (RankedSet,
// https://github.com/FoundationDB/fdb-record-layer). Level 0 has every id; level L about every
// 32^L-th, each with the number of ids from it up to the next entry of its level; a level that has
// entries has a head too, for the ids before the first. So what is stored is a function of the set
// alone, whatever the order in which it came to be.
// Format: docs/formats/store.md, "Ranks".
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

using List = std::uint32_t;  // names a set within the database

// The highest level an id is on: each is reached by one id of 32.
int level_of(const Ulid& id);

// The key of an entry: list, level, id. The head of a level has no id: it sorts before all.
struct RankedKey {
  std::array<char, 21> bytes;
  std::size_t size;

  RankedKey(List list, int level);
  RankedKey(List list, int level, const Ulid& id);
  operator std::string_view() const { return {bytes.data(), size}; }
  // Becomes a copy of another key, on a level of its own.
  void take(std::string_view key, int level);
};

// Whether a key begins with the list and level of `head`.
bool within(std::string_view key, const RankedKey& head);

// Whether the numbers of a database's entries carry a check over key and number.
enum class Counts : bool { plain, checked };

// A database of sets.
struct Ranked {
  MDB_dbi dbi = 0;
  Counts counts = Counts::plain;

  Ranked() = default;
  Ranked(MDB_dbi dbi, Counts counts = Counts::plain) : dbi(dbi), counts(counts) {}
  operator MDB_dbi() const { return dbi; }
};

// The number of ids that an entry above level 0 holds. Throws std::runtime_error if it is damaged.
std::uint64_t count_of(Counts counts, std::string_view key, std::string_view value);
// The value of such an entry. A checked number is less than 2^40.
std::array<char, 8> count_value(Counts counts, std::string_view key, std::uint64_t count);
// The highest level a set has; moves the cursor.
int top_level(Cursor& cursor, List list);

// Reads sets as one transaction sees them. Ranks count from 0, smallest id first. Throws
// std::runtime_error when the levels contradict each other, Failure when LMDB fails.
class RankedReader {
 public:
  RankedReader(MDB_txn* txn, const Ranked& sets) : cursor_(txn, sets), counts_(sets.counts) {}

  std::uint64_t length(List list);
  std::optional<Ulid> nth(List list, std::uint64_t n);
  // How many ids of the set are smaller; `id` need not be in it.
  std::uint64_t rank(List list, const Ulid& id);
  // At most `count` ids from the n-th on.
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
  std::vector<std::pair<List, int>> tops_;  // of the few lists a request asks for
};

struct RankedChange {
  Ulid id;
  bool insert;  // or erase
};

// Brings one set to its new state: work in proportion to the changes, whether one or a million.
// `changes`: sorted by id, each id once; inserted ids are not in the set, erased ones are.
void apply(WriteTransaction& txn, const Ranked& sets, List list,
           std::span<const RankedChange> changes);

}  // namespace quire::lmdb
