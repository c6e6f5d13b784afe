#include "store/dynamodb/items/damaged_items.h"

#include <spdlog/spdlog.h>

#include <boost/json.hpp>

namespace quire::dynamodb {

void DamagedItems::note(const Damage& damage) {
  ++total_;
  if (!due(damage.key, std::chrono::steady_clock::now())) return;
  spdlog::warn("{} It is left out. quire verify names all such items.", shown(damage));
}

bool DamagedItems::due(const std::string& key, Time now) {
  std::lock_guard lock(mutex_);
  auto at = logged_.find(key);
  if (at != logged_.end() && now < at->second + silence) return false;
  if (at == logged_.end() && logged_.size() >= max_keys) {
    std::erase_if(logged_, [&](const auto& each) { return now >= each.second + silence; });
    if (logged_.size() >= max_keys) return false;
  }
  logged_.insert_or_assign(key, now);
  return true;
}

std::string shown(const Damage& damage) {
  return "Item " + boost::json::serialize(boost::json::string(damage.key)) +
         " is damaged: " + damage.reason;
}

Error damaged_answer() {
  return {ErrorCode::unavailable, "An answer of the table is damaged. Try again in a moment."};
}

Error damaged_comment() {
  return {ErrorCode::not_found,
          "The comment with this id is damaged in the table, and left out: quire verify tells why. "
          "It can be deleted."};
}

}  // namespace quire::dynamodb
