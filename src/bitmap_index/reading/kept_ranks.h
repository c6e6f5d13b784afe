// How many comments lie ahead of the positions at which pages begin and end: the pages read from
// there need not count again.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "bitmap_index/edit.h"
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

  // How many ids of the product are read. Absent: it is not kept.
  std::optional<std::uint64_t> find(const From& from) const;
  struct Entry {
    From from{};
    std::uint64_t ahead = 0;
  };
  void keep(std::span<const Entry> entries);
  void clear();

 private:
  static std::size_t place_of(const From& from);

  mutable std::mutex mutex_;
  std::array<Entry, 4096> entries_;  // guarded by mutex_
};

}  // namespace quire::bitmap_index
