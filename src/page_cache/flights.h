// Single flight: of the callers that need a value at the same time, the first makes it, and the
// others wait for it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "loop/one_answer.h"
#include "page_cache/cache.h"

namespace quire::page_cache {

// Thread-safe. Coroutines that wait run on loops of one thread each.
class Flights {
  using Flight = SharedAnswer<Kept>;

 public:
  // A part in a flight: of its maker, or of one who waits.
  class Seat {
   public:
    Seat() = default;  // in no flight
    Seat(Seat&& other) noexcept
        : flights_(std::exchange(other.flights_, nullptr)),
          flight_(std::move(other.flight_)),
          key_(std::move(other.key_)) {}
    Seat& operator=(Seat&&) = delete;
    // A maker who fails or is cancelled leaves no value: those who wait make it themselves.
    ~Seat() { land({}); }

    bool waits() const { return flight_ && !flights_; }
    // For one who waits: the value. Null: there is none, or it did not come in time.
    Awaitable<Kept> wait(Deadline deadline);

    // Whether others wait for the value of this maker now.
    bool awaited() const;
    // Ends the flight, if this is its maker's seat. Null: there is no value for the others.
    void land(Kept value);

   private:
    friend Flights;
    Seat(Flights* flights, std::shared_ptr<Flight> flight, std::string key)
        : flights_(flights), flight_(std::move(flight)), key_(std::move(key)) {}

    Flights* flights_ = nullptr;  // the maker's
    std::shared_ptr<Flight> flight_;
    std::string key_;
  };

  // A seat in the flight of this key: the maker's, where there is no such flight yet. This must
  // outlive the seat.
  Seat enter(std::string key);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights_;  // guarded by mutex_
};

}  // namespace quire::page_cache
