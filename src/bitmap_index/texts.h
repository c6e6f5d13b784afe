// Keeps the texts of values under their codes.
#pragma once

#include <array>
#include <set>
#include <string>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "lmdb/environment.h"

namespace quire::bitmap_index {

class Texts {
 public:
  // Keeps the text of a value, if it has one. Throws lmdb::Damaged if another one is there.
  void keep(const Databases& databases, lmdb::WriteTransaction& txn, const Value& value);
  // Tells that texts were removed.
  void forget() { known_ = {}; }

 private:
  struct Known {
    FacetNumber facet = every_id;
    Code code = 0;
  };
  std::array<Known, 64>
      known_;  // some of the values whose texts this transaction has seen, by code
};

// The keys of texts that no id has any more. Reads all blocks; memory: as many texts as there are.
// Where a block is damaged, it may have any text: then none.
std::set<std::string, std::less<>> unused_texts(const Databases& databases,
                                                const lmdb::Transaction& txn);

}  // namespace quire::bitmap_index
