#include "page_index/lmdb/layout.h"

#include <random>

#include "model/schema.h"
#include "page_index/lmdb/format.h"

namespace quire::page_index {
namespace {

std::uint64_t random_key() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

IndexLayout open(MDB_txn* txn, unsigned flags, std::uint64_t hash_key) {
  return {lmdb::open_sealed(txn, "index_products", flags),
          bitmap_index::open_databases(txn, flags, hash_key)};
}

}  // namespace

IndexLayout create_layout(lmdb::WriteTransaction& txn, MDB_dbi meta) {
  auto layout = open(txn.get(), MDB_CREATE, random_key());
  txn.put(meta, "hash_key", encode_long(layout.index.hash_key));
  txn.put(meta, "next_product", encode_number(0));
  txn.put(meta, "facets", encode_schema({}));
  return layout;
}

IndexLayout open_layout(MDB_txn* txn, MDB_dbi meta) {
  auto key = lmdb::find(txn, meta, "hash_key");
  if (!key) throw lmdb::Damaged("it has no hash key");
  return open(txn, 0, decode_long(*key));
}

Schema schema_in(std::string_view row) {
  auto schema = decode_schema(row);
  if (!schema) throw lmdb::Damaged("its facets are damaged");
  return std::move(*schema);
}

}  // namespace quire::page_index
