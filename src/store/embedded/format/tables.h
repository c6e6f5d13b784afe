// The databases of a store: their names, and opening or making them.
#pragma once

#include <utility>
#include <vector>

#include "bitmap_index/databases.h"
#include "lmdb/new_file.h"
#include "store/embedded/format/rows.h"
#include "word_index/databases.h"

namespace quire::embedded {

struct Tables {
  lmdb::Sealed meta, products, comments, ids, facets, damaged, once, once_by_id, facts;
  lmdb::Sealed pending, rejected, moderation, reports, tickets, votes, removed, events, revisions;
  MDB_dbi leaders = 0, once_by_time = 0, reported = 0;
  MDB_dbi customers = 0, tickets_by_end = 0;
  MDB_dbi voters = 0, unswept = 0;
  bitmap_index::Databases index;
  word_index::Databases words;

  std::vector<std::pair<MDB_dbi, const char*>> all() const;  // with their names
};

// Opens the databases of a store, but for the hash key of the index.
Tables open_tables(MDB_txn* txn);
// Makes them in a new file, with a new hash key, without products and declared facets.
Tables make_tables(lmdb::NewFile& file);

}  // namespace quire::embedded
