#include "store/dynamodb/comments/races.h"

#include <algorithm>
#include <functional>

namespace quire::dynamodb {
namespace {

constexpr Races::Milliseconds shortest{5}, longest{100};  // race that is reckoned with
constexpr int courtesies = 4;                             // races that the winner leaves the others
constexpr int max_doublings = 2;                          // of a loser's wait

}  // namespace

Races::Run::Run(Races& races, const std::set<std::string>& products) : races_(races) {
  for (const auto& product : products)
    slots_.insert(std::hash<std::string>()(product) % races.slots_.size());
}

Races::Milliseconds Races::Run::yield_delay(Clock::time_point now) const {
  bool due = std::any_of(slots_.begin(), slots_.end(), [&](std::size_t i) {
    return races_.slots_[i].won && races_.slots_[i].contended_until > now;
  });
  return due ? courtesies * races_.duration_ : Milliseconds(0);
}

void Races::Run::win() {
  auto took = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
  races_.duration_ = std::clamp((3 * races_.duration_ + took) / 4, shortest, longest);
  for (auto i : slots_) {
    Slot& slot = races_.slots_[i];
    slot.won = true;
    slot.room = std::min(slot.room + 1, max_actions);
  }
}

void Races::Run::lose() {
  ++lost_;
  for (auto i : slots_) {
    races_.slots_[i].contended_until = Clock::now() + remembered;
    races_.slots_[i].won = false;
  }
}

Races::Milliseconds Races::Run::retry_delay() const {
  return races_.duration_ * (1 << std::min(lost_, max_doublings));
}

std::size_t Races::Run::room() const {
  auto room = max_actions;
  for (auto i : slots_) room = std::min(room, races_.slots_[i].room);
  return room;
}

void Races::Run::shrink(std::size_t actions) {
  for (auto i : slots_) {
    Slot& slot = races_.slots_[i];
    slot.room = std::max<std::size_t>(std::min(slot.room, actions) / 2, 1);
  }
}

}  // namespace quire::dynamodb
