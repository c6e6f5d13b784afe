#include "word_index/databases.h"

namespace quire::word_index {

Databases open_databases(MDB_txn* txn, unsigned flags) {
  return {lmdb::open_sealed(txn, rows_name, flags), lmdb::open_sealed(txn, slots_name, flags),
          lmdb::open_sealed(txn, segments_name, flags)};
}

std::uint64_t page_bytes(const Databases& databases, const lmdb::Transaction& txn) {
  std::uint64_t bytes = 0;
  for (const auto* each : {&databases.rows, &databases.slots, &databases.segments}) {
    MDB_stat stat;
    lmdb::check("reading a database", mdb_stat(txn, *each, &stat));
    bytes += (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) *
             std::uint64_t{stat.ms_psize};
  }
  return bytes;
}

}  // namespace quire::word_index
