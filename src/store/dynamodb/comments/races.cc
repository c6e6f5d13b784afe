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

Races::Milliseconds Races::Run::courtesy() const {
  auto now = Clock::now();
  bool due = std::any_of(slots_.begin(), slots_.end(), [&](std::size_t i) {
    return races_.slots_[i].won && races_.slots_[i].contended_until > now;
  });
  return due ? courtesies * races_.duration_ : Milliseconds(0);
}

void Races::Run::win() {
  auto took = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
  races_.duration_ = std::clamp((3 * races_.duration_ + took) / 4, shortest, longest);
  for (auto i : slots_) races_.slots_[i].won = true;
}

void Races::Run::lose() {
  ++lost_;
  for (auto i : slots_) races_.slots_[i] = {Clock::now() + remembered, false};
}

Races::Milliseconds Races::Run::setback() const {
  return races_.duration_ * (1 << std::min(lost_, max_doublings));
}

}  // namespace quire::dynamodb
