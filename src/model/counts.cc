#include "model/counts.h"

namespace quire {

std::uint64_t Counts::length(const Cell& list) const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_) {
    if (covers(list, row.cell)) sum += row.comments;
  }
  return sum;
}

std::uint64_t Counts::total(const Filter& filter) const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_) {
    if (filter.matches(row.cell)) sum += row.comments;
  }
  return sum;
}

}  // namespace quire
