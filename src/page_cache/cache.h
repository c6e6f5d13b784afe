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

#include "page_cache/sketch.h"

namespace quire::page_cache {

using Kept = std::shared_ptr<const void>;

// Two lists in the order of use (segmented LRU): a value begins in the first and comes into the
// second, which has at most four fifths of the bytes, when it is asked for again. Where there is no
// room, a newcomer is kept only if it was asked for more often than each value that would make room
// for it (TinyLFU, see sketch.h). So a crawler that asks for everything once pushes out nothing.
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

}  // namespace quire::page_cache
