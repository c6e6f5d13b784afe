#include "store/dynamodb/access/filling_indexes.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace quire::dynamodb {

void FillingIndexes::note(std::size_t index, bool filling) {
  if (filling_[index].exchange(filling) == filling) return;
  if (filling)
    spdlog::warn(
        "The table is filling its index {}: until it is full, pages are read without it where "
        "that is possible.",
        indexes[index].name);
  else
    spdlog::info("The table's index {} is full again.", indexes[index].name);
}

bool FillingIndexes::look_is_due(Time now) {
  bool any = suspected_ || std::any_of(filling_.begin(), filling_.end(),
                                       [](const auto& each) { return each.load(); });
  if (!any) return false;
  auto last = looked_.load();
  if (last != Time::min() && now - last < between_looks) return false;
  if (!looked_.compare_exchange_strong(last, now)) return false;
  suspected_ = false;
  return true;
}

}  // namespace quire::dynamodb
