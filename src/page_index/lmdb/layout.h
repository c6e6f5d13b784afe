// The databases of a page index's bitmap index, and their rows in `meta`.
// Format: docs/formats/pages-lmdb.md
#pragma once

#include <string_view>

#include "bitmap_index/databases.h"
#include "lmdb/environment.h"
#include "model/schema.h"

namespace quire::page_index {

struct IndexLayout {
  lmdb::Sealed products;  // name → ProductRow
  bitmap_index::Databases index;
};

// Makes the databases of an empty index that holds language and rating. `meta`: where its rows go.
IndexLayout create_layout(lmdb::WriteTransaction& txn, MDB_dbi meta);
// Opens them. Throws lmdb::Damaged, or lmdb::Failure where one is missing.
IndexLayout open_layout(const lmdb::Transaction& txn, MDB_dbi meta);

// A row of `meta`; lives until the next write. Throws lmdb::Damaged: it is missing.
std::string_view meta_row(const lmdb::Transaction& txn, MDB_dbi meta, std::string_view key);

// The number of a product that is new. Throws lmdb::Damaged.
bitmap_index::Product next_product(lmdb::WriteTransaction& txn, MDB_dbi meta);

// The facets in the row `facets`. Throws lmdb::Damaged.
Schema schema_in(std::string_view row);

}  // namespace quire::page_index
