// The row of one facet in one block: for each value the positions of the ids that have it.
// Format: docs/formats/bitmap-index.md
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bitmap_index/databases.h"
#include "bitmap_index/words.h"
#include "lmdb/numbers.h"

namespace quire::bitmap_index {

inline constexpr std::size_t max_block = 65'535;  // ids
// The bytes of a row before its payloads: of the row, and of each entry (code, count, offset).
inline constexpr std::size_t block_row_head = 8, block_entry_head = 8 + 2 + 4;

// Whether so many positions take at most the room of a bitmap; and the bytes of the smaller one.
inline bool is_sparse(std::size_t count, std::size_t ids) {
  return count * sizeof(std::uint16_t) <= words_for(ids) * sizeof(std::uint64_t);
}
inline std::size_t positions_size(std::size_t count, std::size_t ids) {
  return is_sparse(count, ids) ? count * sizeof(std::uint16_t)
                               : words_for(ids) * sizeof(std::uint64_t);
}

// How many of `size` items are below one that is looked for; those come first. Has no branch for
// each step, which no processor could predict.
template <class Below>
std::size_t count_below(std::size_t size, Below below) {
  std::size_t from = 0;
  for (auto width = size; width > 0;) {
    auto half = width / 2;
    bool passes = below(from + half);
    from += passes ? half + 1 : 0;
    width = passes ? width - half - 1 : half;
  }
  return from;
}

// Reads a row where it lies. The bytes must outlive it. The constructor and every function that
// reads an entry check that it lies within the bytes, and throw lmdb::Damaged.
class BlockRow {
 public:
  explicit BlockRow(std::string_view bytes);

  std::size_t ids() const { return ids_; }          // of the block
  std::size_t entries() const { return entries_; }  // values, sorted by code
  Code code(std::size_t entry) const {
    return lmdb::load<Code>(bytes_.data() + block_row_head + entry * sizeof(Code));
  }
  std::size_t count(std::size_t entry) const {  // ids with this value, 1 or more
    return lmdb::load<std::uint16_t>(bytes_.data() + block_row_head + entries_ * sizeof(Code) +
                                     entry * sizeof(std::uint16_t));
  }
  // The entry of a code; entries(): there is none.
  std::size_t find(Code code) const;
  // The first entry whose code is not below `code`; entries(): there is none.
  std::size_t lower_bound(Code code) const;

  // `words` has words_for(ids()) words.
  void add_to(std::span<std::uint64_t> words, std::size_t entry) const;  // words |= entry
  // Both return whether a bit is left.
  bool keep_in(std::span<std::uint64_t> words, std::size_t entry) const;      // words &= entry
  bool remove_from(std::span<std::uint64_t> words, std::size_t entry) const;  // words &= ~entry
  std::size_t count_in(std::span<const std::uint64_t> words, std::size_t entry) const;
  bool has(std::size_t entry, std::size_t position) const;
  // The position of the n-th id of the entry, n < count(entry).
  std::size_t select(std::size_t entry, std::size_t n) const;
  // How many ids of the entry are at positions below `position`.
  std::size_t rank(std::size_t entry, std::size_t position) const;
  // The rest of the n-th id of the entry; 0 where the code has no rests.
  std::uint64_t rest(std::size_t entry, std::size_t n) const;

  // The positions of an entry as they lie: two bytes each where it is sparse, or else the words.
  const char* payload(std::size_t entry) const;
  bool sparse(std::size_t entry) const;
  // How many bytes the rest of one id takes.
  std::size_t rest_bytes(std::size_t entry) const;
  std::string_view bytes() const { return bytes_; }

 private:
  std::size_t offset(std::size_t entry) const;
  std::size_t position(const char* payload, std::size_t n) const;
  template <class Use>
  void for_positions(const char* payload, std::size_t count, Use use) const;

  std::string_view bytes_;
  std::size_t ids_, entries_;
};

}  // namespace quire::bitmap_index
