// skip-empty of the table's address: decides whether a product's counts may say that its lists are
// empty. What is promised: ADR 46.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"

namespace quire::dynamodb {

// Thread-safe.
class EmptyLists {
 public:
  // `max_age`: of the counts; 0: they never may.
  explicit EmptyLists(std::chrono::seconds max_age, Clock clock = system_ms)
      : max_age_ms_(1000 * static_cast<std::uint64_t>(max_age.count())), clock_(std::move(clock)) {}

  // This process has, or may have, put comments into lists of the product.
  void note_write(std::string_view product);

  // The age, in ms, of counts that have all writes to the product before `complete_ms`, in ms since
  // 1970. Nothing: lists have to be asked. The counts are too old, or from the future; or they may
  // miss a write of this process.
  std::optional<std::uint64_t> age_ms(std::string_view product, std::uint64_t complete_ms) const;

 private:
  static std::size_t slot(std::string_view product);

  const std::uint64_t max_age_ms_;
  const Clock clock_;
  // When this process wrote last. Products share slots: a write to one may have lists of others
  // asked.
  std::array<std::atomic<std::uint64_t>, 4096> written_ms_{};
};

}  // namespace quire::dynamodb
