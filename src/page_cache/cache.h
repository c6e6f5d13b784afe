// Keeps rendered answers by key, bounded in bytes. The answers that are asked for most stay. The
// cache knows nothing of their content: the caller tells present answers from old ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loop/one_answer.h"

namespace quire::page_cache {

// Estimates how often keys were asked for lately: a count-min sketch of 4-bit counters, which are
// halved after so many keys that old popularity fades. Einziger, Friedman and Manes, "TinyLFU: A
// Highly Efficient Cache Admission Policy", ACM Transactions on Storage, 2017.
class FrequencySketch {
 public:
  // `entries`: about how many the cache holds. It takes 8 to 16 bytes for each.
  explicit FrequencySketch(std::size_t entries);

  // A key, by its hash, was asked for.
  void add(std::uint64_t hash);
  // How often, at most 15. Too high where keys share counters, and never too low but for halving.
  unsigned estimate(std::uint64_t hash) const;

  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  struct Counter {
    std::size_t word;
    unsigned shift;
  };
  Counter counter(std::uint64_t hash, unsigned row) const;
  void halve();

  std::vector<std::uint64_t> words_;  // 16 counters each
  std::size_t added_ = 0;             // since the last halving, and half of those before
  std::size_t sample_;                // halves at so many
};

using Kept = std::shared_ptr<const void>;

// Two lists in the order of use (segmented LRU): a value begins in the first and comes into the
// second, which has at most four fifths of the bytes, when it is asked for again. Where there is no
// room, a newcomer is kept only if it was asked for more often than each value that would make room
// for it (TinyLFU). So a crawler that asks for everything once pushes out nothing.
//
// Thread-safe: one mutex, held for about 0.1 µs.
class Cache {
 public:
  explicit Cache(std::size_t max_bytes);

  // Null: nothing is kept under this key. Counts that it was asked for.
  Kept find(std::string_view key);
  // Whether keep() would keep a new value of so many bytes now.
  bool admits(std::string_view key, std::size_t bytes) const;
  // Keeps the value, in place of an older one under this key in any case; but none of more than an
  // eighth of the cache. Returns how many others made room for it.
  std::size_t keep(std::string_view key, Kept value, std::size_t bytes);

  std::size_t bytes() const;  // with the memory for keys and entries, and the sketch

 private:
  struct Key {
    std::string_view text;
    std::uint64_t hash;

    friend bool operator==(const Key& a, const Key& b) { return a.text == b.text; }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.hash; }
  };
  struct Entry {
    std::string key;
    std::uint64_t hash;
    Kept value;
    std::size_t bytes;
    bool again = false;  // it was asked for again: it is in the second list
  };
  using Entries = std::list<Entry>;

  Key key_of(std::string_view text) const;
  bool admitted(const Key& key, std::size_t bytes) const;
  void promote(Entries::iterator entry);
  void erase(Entries::iterator entry);
  void evict();

  const std::size_t max_bytes_;
  const std::uint64_t seed_;  // so that nobody can choose keys that collide
  mutable std::mutex mutex_;  // guards all below
  FrequencySketch sketch_;
  Entries once_, again_;  // the last used first
  std::unordered_map<Key, Entries::iterator, Hash> entries_;
  std::size_t bytes_ = 0, again_bytes_ = 0;
};

// Single flight: of the callers that need a value at the same time, the first makes it, and the
// others wait for it. Thread-safe. Coroutines that wait run on loops of one thread each.
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
