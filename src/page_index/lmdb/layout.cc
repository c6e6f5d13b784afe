#include "page_index/lmdb/layout.h"

#include <random>
#include <string>

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
  txn.put(meta, "hash_key", encode_hash_key(layout.index));
  txn.put(meta, "next_product", encode_number(0));
  txn.put(meta, "facets", encode_schema({}));
  return layout;
}

IndexLayout open_layout(const lmdb::Transaction& txn, MDB_dbi meta) {
  auto layout = open(txn, 0, 0);
  if (!decode_hash_key(meta_row(txn, meta, "hash_key"), layout.index))
    throw lmdb::Damaged("the row hash_key is damaged");
  return layout;
}

std::string_view meta_row(const lmdb::Transaction& txn, MDB_dbi meta, std::string_view key) {
  auto value = lmdb::find(txn, meta, key);
  if (!value) throw lmdb::Damaged("the row " + std::string(key) + " is missing");
  return *value;
}

bitmap_index::Product next_product(lmdb::WriteTransaction& txn, MDB_dbi meta) {
  auto number = decode_number(meta_row(txn.get(), meta, "next_product"));
  if (number == UINT32_MAX) throw lmdb::Damaged("there are no numbers of products left");
  txn.put(meta, "next_product", encode_number(number + 1));
  return number;
}

Schema schema_in(std::string_view row) {
  auto schema = decode_schema(row);
  if (!schema) throw lmdb::Damaged("its facets are damaged");
  return std::move(*schema);
}

}  // namespace quire::page_index
