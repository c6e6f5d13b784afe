// Damaged items of a table that others made, for `quire verify`. They are named, and never changed.
#pragma once

#include <set>

#include "projection/table.h"
#include "store/dynamodb/adopted/table.h"

namespace quire::adopted {

// Used on a loop of one thread. What it is given must outlive it.
class Inspection : public projection::Inspection {
 public:
  static constexpr std::size_t max_items = 10'000;

  Inspection(dynamodb::TableAccess& access, const Table& table) : access_(access), table_(table) {}

  // Remembers a damaged item. Beyond `max_items`, remembers only that there are more.
  void note(const dynamodb::Item& item);

  Awaitable<Result<std::vector<std::string>>> look_again() override;
  // Does nothing: the items are their owner's.
  Awaitable<Status> repair() override { co_return Done{}; }

 private:
  dynamodb::TableAccess& access_;
  const Table& table_;
  std::set<dynamodb::Item> keys_;
  bool more_ = false;
};

}  // namespace quire::adopted
