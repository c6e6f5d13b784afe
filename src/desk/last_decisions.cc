#include "desk/last_decisions.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace quire::desk {

std::string LastDecisions::keep(std::string moderator, std::vector<MadeDecision> made,
                                std::uint64_t now_ms) {
  auto name = Ulid::make(now_ms, system_entropy()).text();
  std::lock_guard lock(mutex_);
  comments_ += made.size();
  calls_.push_back({name, std::move(moderator), now_ms + kept_ms, std::move(made)});
  forget(now_ms);
  return name;
}

std::vector<MadeDecision> LastDecisions::take(std::string_view moderator, std::string_view name,
                                              std::uint64_t now_ms) {
  std::lock_guard lock(mutex_);
  forget(now_ms);
  auto call = std::find_if(calls_.begin(), calls_.end(), [&](const Call& each) {
    return each.name == name && each.moderator == moderator;
  });
  if (call == calls_.end()) return {};
  auto made = std::move(call->made);
  comments_ -= made.size();
  calls_.erase(call);
  return made;
}

void LastDecisions::forget(std::uint64_t now_ms) {
  while (!calls_.empty() && (calls_.front().ends_ms < now_ms || comments_ > max_comments)) {
    comments_ -= calls_.front().made.size();
    calls_.pop_front();
  }
}

}  // namespace quire::desk
