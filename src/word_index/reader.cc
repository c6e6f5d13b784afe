#include "word_index/reader.h"

#include "lmdb/sealed.h"
#include "word_index/varint.h"

namespace quire::word_index {

std::optional<RowSource::Found> CursorRows::at_or_before(std::string_view key) {
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  if (!there || cursor_.key() != key) there = cursor_.move(there ? MDB_PREV : MDB_LAST);
  began_ = there;
  if (!there) return {};
  return found();
}

std::optional<RowSource::Found> CursorRows::next() {
  bool there = cursor_.move(began_ ? MDB_NEXT : MDB_FIRST);
  began_ = true;
  if (!there) return {};
  return found();
}

RowSource::Found CursorRows::found() const {
  auto row = lmdb::unsealed(seed_, cursor_.key(), cursor_.value());
  if (!row) damaged();
  return {cursor_.key(), *row};
}

RowSource& Reader::rows() {
  if (!rows_) rows_.emplace(db_, txn_);
  return *rows_;
}

Runs Reader::runs(bitmap_index::Product product, const Ulid& start) const {
  auto key = runs_key(product, start);
  if (auto row = txn_.find(db_.slots, key)) return Runs::decode(*row);
  lmdb::check_missing(txn_, db_.slots, key);
  return {};
}

}  // namespace quire::word_index
