// All rows of an environment, as text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "bytes.h"
#include "lmdb/environment.h"

namespace quire::page_index {

// A line a row: database, key and value. The seals of values are left out.
inline std::string dump(const std::string& directory) {
  std::string out;
  lmdb::Environment environment({.directory = directory, .read_only = true});
  lmdb::ReadTransaction txn(environment);
  for (const char* name :
       {"meta", "marks", "index_products", "index_ids", "index_blocks", "index_counts",
        "index_texts", "word_rows", "word_slots", "word_segments"}) {
    auto database = std::string_view(name);
    bool text = database == "meta" || database == "marks" || database == "index_products";
    bool sealed = (database.starts_with("index_") || database.starts_with("word_")) &&
                  database != "index_ids";
    lmdb::Cursor cursor(txn.get(), lmdb::open_database(txn.get(), name, 0));
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      auto value = cursor.value();
      if (sealed) value.remove_suffix(lmdb::seal_size);
      out += fmt::format("{} {}", name, text ? std::string(cursor.key()) : hex(cursor.key()));
      bool is_text = database == "meta" && cursor.key() == "facets";
      if (!value.empty()) out += " = " + (is_text ? std::string(value) : hex(value));
      out += "\n";
    }
  }
  return out;
}

// Writes or removes a row of an unsealed database, as another program or damage would.
inline void write_row(const std::string& directory, const char* database, std::string_view key,
                      std::optional<std::string_view> value) {
  lmdb::Environment environment({.directory = directory});
  lmdb::WriteTransaction txn(environment);
  auto dbi = txn.open(database);
  if (value) txn.put(dbi, key, *value);
  if (!value) txn.remove(dbi, key);
  txn.commit();
}

// Takes a database out, as if the program that made the index had known none.
inline void drop_database(const std::string& directory, const char* database) {
  lmdb::Environment environment({.directory = directory});
  lmdb::WriteTransaction txn(environment);
  lmdb::check("dropping", mdb_drop(txn.get(), txn.open(database), 1));
  txn.commit();
}

}  // namespace quire::page_index
