#include "page_cache/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <random>

namespace quire::page_cache {
namespace {

constexpr std::size_t usual_bytes = 4096;  // of a value, for the size of the sketch
constexpr std::size_t entry_bytes = 160;   // of an entry and its place in the map, beside its bytes

std::uint64_t random_seed() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

// The four counters of a key lie in one cache line: two words for each row.
constexpr unsigned rows = 4;
constexpr std::size_t words_a_row = 2, words_a_block = rows * words_a_row;
constexpr std::uint64_t counter_max = 15;

constexpr std::size_t keys_an_entry = 10;  // between halvings, as in the paper

}  // namespace

Cache::Cache(std::size_t max_bytes)
    : max_bytes_(max_bytes),
      seed_(random_seed()),
      sketch_(max_bytes / usual_bytes),
      bytes_(sketch_.bytes()) {}

Cache::Key Cache::key_of(std::string_view text) const {
  return {text, XXH3_64bits_withSeed(text.data(), text.size(), seed_)};
}

Kept Cache::find(std::string_view text) {
  auto key = key_of(text);
  std::lock_guard lock(mutex_);
  sketch_.add(key.hash);
  auto at = entries_.find(key);
  if (at == entries_.end()) return {};
  promote(at->second);
  return at->second->value;
}

void Cache::promote(Entries::iterator entry) {
  again_.splice(again_.begin(), entry->again ? again_ : once_, entry);
  if (entry->again) return;
  entry->again = true;
  again_bytes_ += entry->bytes;
  while (again_bytes_ > max_bytes_ / 5 * 4 && again_.size() > 1) {
    auto last = std::prev(again_.end());
    last->again = false;
    again_bytes_ -= last->bytes;
    once_.splice(once_.begin(), again_, last);
  }
}

bool Cache::admits(std::string_view text, std::size_t bytes) const {
  auto key = key_of(text);
  std::lock_guard lock(mutex_);
  return admitted(key, bytes + text.size() + entry_bytes);
}

bool Cache::admitted(const Key& key, std::size_t bytes) const {
  if (bytes > max_bytes_ / 8) return false;
  auto own = sketch_.estimate(key.hash);
  std::size_t freed = 0;
  for (const auto* list : {&once_, &again_}) {
    for (auto at = list->rbegin(); at != list->rend(); ++at) {
      if (bytes_ + bytes <= max_bytes_ + freed) return true;
      if (own <= sketch_.estimate(at->hash)) return false;
      freed += at->bytes;
    }
  }
  return bytes_ + bytes <= max_bytes_ + freed;
}

std::size_t Cache::keep(std::string_view text, Kept value, std::size_t bytes) {
  auto key = key_of(text);
  bytes += text.size() + entry_bytes;
  std::lock_guard lock(mutex_);
  auto at = entries_.find(key);
  bool known = at != entries_.end();
  if (known) erase(at->second);
  if (bytes > max_bytes_ / 8 || (!known && !admitted(key, bytes))) return 0;
  std::size_t evicted = 0;
  for (; bytes_ + bytes > max_bytes_ && !entries_.empty(); ++evicted) evict();
  if (bytes_ + bytes > max_bytes_) return evicted;
  once_.push_front({std::string(text), key.hash, std::move(value), bytes});
  entries_.emplace(Key{once_.front().key, key.hash}, once_.begin());
  bytes_ += bytes;
  return evicted;
}

void Cache::evict() {
  erase(std::prev(once_.empty() ? again_.end() : once_.end()));
}

void Cache::erase(Entries::iterator entry) {
  bytes_ -= entry->bytes;
  if (entry->again) again_bytes_ -= entry->bytes;
  entries_.erase(Key{entry->key, entry->hash});
  (entry->again ? again_ : once_).erase(entry);
}

std::size_t Cache::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

FrequencySketch::FrequencySketch(std::size_t entries)
    : words_(std::bit_ceil(std::max(entries, words_a_block))),
      sample_(keys_an_entry * words_.size()) {}

// The upper half of the hash chooses the block, eight bits of the lower half each row's counter.
FrequencySketch::Counter FrequencySketch::counter(std::uint64_t hash, unsigned row) const {
  std::size_t blocks = words_.size() / words_a_block;
  std::size_t block = (hash >> 32) & (blocks - 1);
  auto bits = static_cast<unsigned>(hash >> (8 * row));
  return {block * words_a_block + row * words_a_row + (bits & 1), 4 * (bits >> 1 & 15)};
}

void FrequencySketch::add(std::uint64_t hash) {
  bool added = false;
  for (unsigned row = 0; row < rows; ++row) {
    auto [word, shift] = counter(hash, row);
    if ((words_[word] >> shift & counter_max) == counter_max) continue;
    words_[word] += std::uint64_t{1} << shift;
    added = true;
  }
  if (added && ++added_ == sample_) halve();
}

unsigned FrequencySketch::estimate(std::uint64_t hash) const {
  auto least = counter_max;
  for (unsigned row = 0; row < rows; ++row) {
    auto [word, shift] = counter(hash, row);
    least = std::min(least, words_[word] >> shift & counter_max);
  }
  return static_cast<unsigned>(least);
}

void FrequencySketch::halve() {
  for (auto& word : words_) word = word >> 1 & 0x7777'7777'7777'7777;
  added_ /= 2;
}

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
