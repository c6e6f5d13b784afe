#include "lmdb/ranked_levels.h"

namespace quire::lmdb {

void RankedLevels::add(const Ulid& id) {
  int top = level_of(id);
  for (int level = static_cast<int>(levels_.size()) + 1; level <= top; ++level)
    levels_.push_back({{RankedKey(list_, level), ids_}});
  for (int level = 1; level <= top; ++level)
    levels_[static_cast<std::size_t>(level - 1)].push_back({RankedKey(list_, level, id), 0});
  for (auto& level : levels_) ++level.back().count;
  ++ids_;
}

std::vector<RankedLevels::Row> RankedLevels::rows() const {
  std::vector<Row> rows;
  for (const auto& level : levels_) rows.insert(rows.end(), level.begin(), level.end());
  return rows;
}

}  // namespace quire::lmdb
