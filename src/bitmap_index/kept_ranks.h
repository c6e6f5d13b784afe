// How many comments lie ahead of the positions at which pages begin and end: the pages read from
// there need not count again.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>

#include "bitmap_index/databases.h"
#include "model/entry.h"

namespace quire::bitmap_index {

// Thread-safe. A number belongs to a generation of a product, so it is never stale. A later
// position takes the place of an earlier one.
class KeptRanks {
 public:
  // From where a product is read, in which order. The id need not be there.
  struct From {
    Ulid id{};
    Order order{};
    Product product{};
    std::uint64_t generation = 0;  // of the product, never 0
    friend bool operator==(const From&, const From&) = default;
  };

  struct Entry {
    From from{};
    std::uint64_t ahead = 0;
  };

  // How many ids of the product are read. Absent: it is not kept.
  std::optional<std::uint64_t> find(const From& from) const {
    std::lock_guard lock(mutex_);
    const auto& entry = entries_[place_of(from)];
    if (from.generation == 0 || entry.from != from) return {};
    return entry.ahead;
  }

  void keep(std::span<const Entry> entries) {
    std::lock_guard lock(mutex_);
    for (const auto& entry : entries) entries_[place_of(entry.from)] = entry;
  }

  void clear() {
    std::lock_guard lock(mutex_);
    entries_.fill({});
  }

 private:
  // The last bytes of an id are its chance.
  static std::size_t place_of(const From& from) {
    std::uint64_t end;
    std::memcpy(&end, from.id.bytes.data() + Ulid::size - sizeof end, sizeof end);
    end += static_cast<std::uint64_t>(from.order);
    return end * 0x9E3779B97F4A7C15 >> 52;  // Fibonacci hashing, to 12 bits
  }

  mutable std::mutex mutex_;
  std::array<Entry, 4096> entries_;  // guarded by mutex_
};

}  // namespace quire::bitmap_index
