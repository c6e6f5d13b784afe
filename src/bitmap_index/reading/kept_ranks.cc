#include "bitmap_index/reading/kept_ranks.h"

#include <cstring>

namespace quire::bitmap_index {

// The last bytes of an id are its chance.
std::size_t KeptRanks::place_of(const From& from) {
  std::uint64_t end;
  std::memcpy(&end, from.id.bytes.data() + Ulid::size - sizeof end, sizeof end);
  end += static_cast<std::uint64_t>(from.order);
  return end * 0x9E3779B97F4A7C15 >> 52;  // Fibonacci hashing, to 12 bits
}

std::optional<std::uint64_t> KeptRanks::find(const From& from) const {
  std::lock_guard lock(mutex_);
  const auto& entry = entries_[place_of(from)];
  if (from.generation == 0 || entry.from != from) return {};
  return entry.ahead;
}

void KeptRanks::keep(std::span<const Entry> entries) {
  std::lock_guard lock(mutex_);
  for (const auto& entry : entries) entries_[place_of(entry.from)] = entry;
}

void KeptRanks::clear() {
  std::lock_guard lock(mutex_);
  entries_.fill({});
}

}  // namespace quire::bitmap_index
