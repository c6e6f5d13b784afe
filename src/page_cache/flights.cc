#include "page_cache/flights.h"

namespace quire::page_cache {

Flights::Seat Flights::enter(std::string key) {
  std::lock_guard lock(mutex_);
  auto [at, first] = flights_.try_emplace(key);
  if (!first) return {nullptr, at->second, {}};
  at->second = std::make_shared<Flight>();
  return {this, at->second, std::move(key)};
}

bool Flights::Seat::awaited() const {
  return flights_ && flight_->awaited();
}

void Flights::Seat::land(Kept value) {
  auto* flights = std::exchange(flights_, nullptr);
  if (!flights) return;
  {
    std::lock_guard lock(flights->mutex_);
    flights->flights_.erase(key_);
  }
  flight_->give(std::move(value));
}

Awaitable<Kept> Flights::Seat::wait(Deadline deadline) {
  auto value = co_await Flights::Flight::wait(flight_, deadline);
  co_return value.value_or(nullptr);
}

}  // namespace quire::page_cache
