// Changes a page index within one write transaction: marks and lists change together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/format.h"

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
  bool turn(std::string_view epoch, change::Phase from, change::Phase to);
  void put(const std::vector<change::Change>& changes);

 private:
  // Per list and id, whether the list has the id after the changes.
  using Members = std::map<Cell, std::map<Ulid, bool>>;

  std::string_view meta(std::string_view key) const;
  bool at(const change::Step& step) const;
  void put(std::string_view product, const Members& members);
  void put_list(lmdb::List list, const std::map<Ulid, bool>& ids);
  lmdb::List give_number(std::optional<ProductLists>& row, const Cell& list);
  Block next_block();
  void drop_empty(std::optional<ProductLists>& row);
  bool has_members(Block block);

  const IndexDatabases& db_;
  lmdb::WriteTransaction& txn_;
};

}  // namespace quire::page_index
