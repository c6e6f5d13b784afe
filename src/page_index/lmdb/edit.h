// Changes a page index within one write transaction: marks and bitmaps change together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/format.h"
#include "page_index/page_index.h"
#include "word_index/edit.h"

namespace quire::page_index {

// Throws std::exception where the data is damaged or cannot be written. Then the caller must abort
// the transaction.
class IndexEdit {
 public:
  IndexEdit(const IndexDatabases& databases, lmdb::WriteTransaction& txn)
      : db_(databases), txn_(txn) {}

  // See change::Target and PageIndex.
  bool apply(const change::Step& step);
  void reset(const change::State& state);
  bool change_phase(std::string_view epoch, change::Phase from, change::Phase to);
  void put(const std::vector<change::Change>& changes);
  // The error of `change`, if it gives one.
  Status declare(const Redeclare& change);
  void want_words();
  Status drop_words();
  // Writes what is left. Call it before committing.
  void finish();

 private:
  // Of a comment the last change.
  struct Last {
    const change::Change* change = nullptr;
    bool rewords = false;  // one of the changes does
  };
  using Changes = std::map<Ulid, Last>;

  std::string_view meta(std::string_view key) const;
  bool at(const change::Step& step) const;
  void put(const std::string& product, const Changes& changes);
  void put_words(bitmap_index::Product product, const Changes& changes);
  word_index::IndexEdit& words();
  void clear_words();
  void give_words_up(const word_index::DamagedWords& damaged);
  // Notes the key of the change. Gives the removal of the comment that had the key before, if it is
  // not the comment of the change.
  std::optional<change::Change> move_item(const change::Change& change);

  const IndexDatabases& db_;
  lmdb::WriteTransaction& txn_;
  Schema schema_ = {};
  std::optional<word_index::IndexEdit> words_ = {};  // absent: not asked for yet
};

}  // namespace quire::page_index
