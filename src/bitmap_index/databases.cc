#include "bitmap_index/databases.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

#include "base/clock.h"

namespace quire::bitmap_index {
namespace {

constexpr std::size_t key_size = 8;

}  // namespace

Databases open_databases(MDB_txn* txn, unsigned flags, std::uint64_t hash_key) {
  Databases databases;
  databases.ids = lmdb::open_database(txn, ids_name, flags | MDB_DUPSORT | MDB_DUPFIXED);
  databases.blocks = lmdb::open_sealed(txn, blocks_name, flags);
  databases.counts = lmdb::open_sealed(txn, counts_name, flags);
  databases.texts = lmdb::open_sealed(txn, texts_name, flags);
  databases.hash_key = hash_key;
  return databases;
}

std::uint64_t new_hash_key() {
  auto random = system_entropy();
  return lmdb::get_u64(reinterpret_cast<const char*>(random.data()));
}

std::string encode_hash_key(const Databases& databases) {
  std::string row(key_size, '\0');
  lmdb::put_u64(row.data(), databases.hash_key);
  return row + static_cast<char>(databases.block_bits);
}

bool decode_hash_key(std::string_view row, Databases& databases) {
  if (row.size() != key_size + 1) return false;
  int bits = row[key_size];
  if (bits < 1 || bits > 32) return false;
  databases.hash_key = lmdb::get_u64(row.data());
  databases.block_bits = bits;
  return true;
}

int level_of(const Databases& databases, const Ulid& id) {
  auto hash = XXH3_64bits_withSeed(id.bytes.data(), id.bytes.size(), databases.hash_key);
  int zeros = std::countr_zero(hash) - databases.block_bits;
  return zeros < 0 ? 0 : 1 + zeros / databases.group_bits;
}

Code code_of_text(std::uint64_t hash_key, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), hash_key);
}

}  // namespace quire::bitmap_index
