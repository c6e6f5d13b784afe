#include "store/embedded/format/tables.h"

namespace quire::embedded {
namespace {

constexpr std::pair<const char*, lmdb::Sealed Tables::*> sealed_names[] = {
    {"meta", &Tables::meta},
    {"products", &Tables::products},
    {"comments", &Tables::comments},
    {"ids", &Tables::ids},
    {"facets", &Tables::facets},
    {"facts", &Tables::facts},
    {"damaged", &Tables::damaged},
    {"once", &Tables::once},
    {"once_by_id", &Tables::once_by_id},
    {"pending", &Tables::pending},
    {"rejected", &Tables::rejected},
    {"moderation", &Tables::moderation},
    {"reports", &Tables::reports},
    {"tickets", &Tables::tickets},
    {"votes", &Tables::votes},
    {"removed", &Tables::removed},
    {"events", &Tables::events},
    {"revisions", &Tables::revisions}};
constexpr std::pair<const char*, MDB_dbi Tables::*> plain_names[] = {
    {"leaders", &Tables::leaders},
    {"once_by_time", &Tables::once_by_time},
    {"reported", &Tables::reported},
    {"customers", &Tables::customers},
    {"tickets_by_end", &Tables::tickets_by_end},
    {"voters", &Tables::voters},
    {"unswept", &Tables::unswept}};

}  // namespace

std::vector<std::pair<MDB_dbi, const char*>> Tables::all() const {
  std::vector<std::pair<MDB_dbi, const char*>> all = {
      {index.ids, bitmap_index::ids_name},        {index.blocks, bitmap_index::blocks_name},
      {index.counts, bitmap_index::counts_name},  {index.texts, bitmap_index::texts_name},
      {words.rows, word_index::rows_name},        {words.slots, word_index::slots_name},
      {words.segments, word_index::segments_name}};
  for (const auto& [name, member] : sealed_names) all.emplace_back(this->*member, name);
  for (const auto& [name, member] : plain_names) all.emplace_back(this->*member, name);
  return all;
}

Tables open_tables(MDB_txn* txn) {
  Tables tables;
  for (const auto& [name, member] : sealed_names) tables.*member = lmdb::open_sealed(txn, name, 0);
  for (const auto& [name, member] : plain_names) tables.*member = lmdb::open_database(txn, name, 0);
  tables.index = bitmap_index::open_databases(txn, 0, 0);
  tables.words = word_index::open_databases(txn, 0);
  return tables;
}

Tables make_tables(lmdb::NewFile& file) {
  Tables tables;
  for (const auto& [name, member] : sealed_names) tables.*member = file.open_sealed(name);
  for (const auto& [name, member] : plain_names) tables.*member = file.open(name);
  file.edit(sizeof(std::uint64_t), [&](lmdb::WriteTransaction& txn) {
    tables.index =
        bitmap_index::open_databases(txn.get(), MDB_CREATE, bitmap_index::new_hash_key());
    tables.words = word_index::open_databases(txn.get(), MDB_CREATE);
  });
  file.put(tables.meta.dbi, "format", format_row());
  file.put(tables.meta, "hash_key", encode_hash_key(tables.index));
  file.put(tables.meta, "next_product", std::string(4, '\0'));
  file.put(tables.meta, "schema", encode_schema({}));
  return tables;
}

}  // namespace quire::embedded
