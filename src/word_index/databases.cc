#include "word_index/databases.h"

#include "lmdb/environment.h"

namespace quire::word_index {

Databases open_databases(MDB_txn* txn, unsigned flags) {
  return {lmdb::open_sealed(txn, rows_name, flags), lmdb::open_sealed(txn, slots_name, flags),
          lmdb::open_sealed(txn, segments_name, flags)};
}

}  // namespace quire::word_index
