#include "page_cache/flights.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <vector>

#include "loop/await.h"

namespace quire::page_cache {

namespace asio = boost::asio;

// Only the loop of the coroutine uses it.
struct Flights::Waiter {
  asio::steady_timer timer;  // ends the wait
  Kept value = {};
};

struct Flights::Flight {
  std::mutex mutex;
  bool landed = false;  // guarded by mutex, as all below
  Kept value = {};
  std::vector<std::shared_ptr<Waiter>> waiters = {};

  // False: the flight has landed.
  bool add(const std::shared_ptr<Waiter>& waiter) {
    std::lock_guard lock(mutex);
    if (landed) return false;
    waiters.push_back(waiter);
    return true;
  }
  void remove(const std::shared_ptr<Waiter>& waiter) {
    std::lock_guard lock(mutex);
    std::erase(waiters, waiter);
  }
};

Flights::Seat Flights::enter(std::string key) {
  std::lock_guard lock(mutex_);
  auto [at, first] = flights_.try_emplace(key);
  if (!first) return {nullptr, at->second, {}};
  at->second = std::make_shared<Flight>();
  return {this, at->second, std::move(key)};
}

bool Flights::Seat::awaited() const {
  if (!flights_) return false;
  std::lock_guard lock(flight_->mutex);
  return !flight_->waiters.empty();
}

void Flights::Seat::land(Kept value) {
  auto* flights = std::exchange(flights_, nullptr);
  if (!flights) return;
  {
    std::lock_guard lock(flights->mutex_);
    flights->flights_.erase(key_);
  }
  std::lock_guard lock(flight_->mutex);
  flight_->landed = true;
  flight_->value = std::move(value);
  for (auto& waiter : flight_->waiters) {
    asio::post(waiter->timer.get_executor(), [waiter, value = flight_->value] {
      waiter->value = value;
      waiter->timer.cancel();
    });
  }
  flight_->waiters.clear();
}

Awaitable<Kept> Flights::Seat::wait(std::chrono::steady_clock::time_point deadline) {
  auto waiter =
      std::make_shared<Waiter>(asio::steady_timer(co_await asio::this_coro::executor, deadline));
  if (!flight_->add(waiter)) co_return flight_->value;
  // Also where the coroutine is cancelled: then nothing of its loop is left in the flight.
  struct Leave {
    Flight& flight;
    const std::shared_ptr<Waiter>& waiter;
    ~Leave() { flight.remove(waiter); }
  } leave{*flight_, waiter};
  co_await waiter->timer.async_wait(await);
  co_return waiter->value;
}

}  // namespace quire::page_cache
