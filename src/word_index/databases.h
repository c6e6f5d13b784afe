// The databases of an index of words. They lie beside a bitmap index, in the LMDB environment of
// the same owner, and go by its products and blocks. Format: docs/formats/words.md
#pragma once

#include <lmdb.h>

#include <cstdint>

#include "lmdb/environment.h"
#include "lmdb/sealed.h"

namespace quire::word_index {

struct Databases {
  lmdb::Sealed rows;      // segment, term → a row of terms
  lmdb::Sealed slots;     // product, block start → the runs of the block
  lmdb::Sealed segments;  // segments_key → all segments; work_key → what is being done
};

// The names under which an owner makes and opens them.
inline constexpr const char* rows_name = "word_rows";
inline constexpr const char* slots_name = "word_slots";
inline constexpr const char* segments_name = "word_segments";

// Opens them. `flags`: MDB_CREATE makes missing ones.
Databases open_databases(MDB_txn* txn, unsigned flags);

// How many bytes their pages have.
std::uint64_t page_bytes(const Databases& databases, const lmdb::Transaction& txn);

}  // namespace quire::word_index
