#include "bitmap_index/reading/rows.h"

#include <algorithm>
#include <string>

#include "bitmap_index/level_counts.h"
#include "lmdb/sealed.h"

namespace quire::bitmap_index {

void contradict(const char* what) {
  throw lmdb::Damaged("the index is damaged: " + std::string(what));
}

Rows Rows::of_blocks(const lmdb::Transaction& txn, const Databases& databases, Product product,
                     FacetNumber facet) {
  auto key = block_key(product, facet, {});
  return {txn, databases.blocks, {key.bytes.data(), facet_prefix}};
}

Rows Rows::of_counts(const lmdb::Transaction& txn, const Databases& databases, Product product,
                     FacetNumber facet, Code code, int level) {
  auto key = count_key(product, facet, code, level, {});
  return {txn, databases.counts, {key.bytes.data(), level_prefix}};
}

Rows Rows::of_words(const lmdb::Transaction& txn, const lmdb::Sealed& slots, Product product) {
  return {txn, slots, ids_key(product)};
}

Rows::Rows(const lmdb::Transaction& txn, const lmdb::Sealed& database, std::string_view prefix)
    : database_(database), cursor_(txn, database), prefix_(prefix.size()) {
  std::copy(prefix.begin(), prefix.end(), key_.begin());
}

std::string_view opened(const lmdb::Sealed& database, std::string_view key, std::string_view row) {
  auto value = lmdb::unsealed(database.seed, key, row);
  if (!value) contradict("a row differs from its checksum");
  return *value;
}

std::uint64_t Rows::count() const {
  return decode_count(value());
}

void Rows::seek(const Ulid& start) {
  settle(move_to(start));
}

bool Rows::move_to(const Ulid& start) {
  std::copy(start.bytes.begin(), start.bytes.end(), key_.begin() + prefix_);
  return cursor_.seek({key_.data(), prefix_ + Ulid::size}, MDB_SET_RANGE);
}

void Rows::seek_back(const Ulid& start) {
  bool moved = move_to(start);
  settle(moved);
  if (at(start)) return;
  settle(cursor_.move(moved ? MDB_PREV : MDB_LAST));
}

void Rows::seek_below(const std::optional<Ulid>& end) {
  Ulid last;
  last.bytes.fill(0xFF);
  if (!end) return seek_back(last);
  settle(cursor_.move(move_to(*end) ? MDB_PREV : MDB_LAST));
}

void Rows::advance(const Ulid& start) {
  constexpr int near = 4;
  for (int passed = 0; there_ && order(start) < 0; ++passed) {
    if (passed == near) return seek(start);
    next();
  }
}

void Rows::settle(bool moved) {
  auto key = moved ? cursor_.key() : std::string_view();
  there_ = has_prefix(key);
  if (!there_) return;
  if (key.size() != prefix_ + Ulid::size) contradict("a key has another size");
  start_ = start_of(key);
}

// Compares whole words, since it is asked for each row: level_prefix is less than two words, and
// other prefixes are less than one.
bool Rows::has_prefix(std::string_view key) const {
  static_assert(facet_prefix < 8 && level_prefix > 8 && level_prefix < 16);
  if (key.size() < Ulid::size) return key.starts_with(std::string_view(key_.data(), prefix_));
  auto differs = [&](std::size_t at) {
    return lmdb::get_u64(key.data() + at) ^ lmdb::get_u64(key_.data() + at);
  };
  if (prefix_ < 8) return differs(0) >> (64 - 8 * prefix_) == 0;
  return (differs(0) | differs(level_prefix - 8)) == 0;
}

}  // namespace quire::bitmap_index
