// Computes the rows that the upper levels of a set must have. Verifying compares them.
#pragma once

#include <vector>

#include "lmdb/ranked_set.h"

namespace quire::lmdb {

class RankedLevels {
 public:
  struct Row {
    RankedKey key;
    std::uint64_t count;
  };

  explicit RankedLevels(List list) : list_(list) {}

  // Adds an id. Ids must come in ascending order.
  void add(const Ulid& id);
  // All rows above level 0, in the order of their keys.
  std::vector<Row> rows() const;

 private:
  List list_;
  std::uint64_t ids_ = 0;
  std::vector<std::vector<Row>> levels_;  // level 1 first; each begins with its head
};

}  // namespace quire::lmdb
