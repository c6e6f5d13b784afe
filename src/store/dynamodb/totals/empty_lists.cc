#include "store/dynamodb/totals/empty_lists.h"

#include <functional>

namespace quire::dynamodb {

std::size_t EmptyLists::slot(std::string_view product) {
  return std::hash<std::string_view>()(product) % decltype(written_ms_)().size();
}

// Writes that end at the same time may leave the time of either.
void EmptyLists::note_write(std::string_view product) {
  if (max_age_ms_ > 0) written_ms_[slot(product)] = clock_();
}

// This process's clock and those that made `complete_ms` may differ by up to the age that is
// allowed.
std::optional<std::uint64_t> EmptyLists::age_ms(std::string_view product,
                                                std::uint64_t complete_ms) const {
  if (max_age_ms_ == 0) return {};
  auto now = clock_();
  if (complete_ms > now || now - complete_ms > max_age_ms_) return {};
  if (written_ms_[slot(product)] + max_age_ms_ >= complete_ms) return {};
  return now - complete_ms;
}

}  // namespace quire::dynamodb
