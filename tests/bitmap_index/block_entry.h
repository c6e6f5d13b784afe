// Rows of blocks, encoded plainly as docs/formats/bitmap-index.md describes them.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/block_row.h"
#include "bitmap_index/numbers.h"
#include "bitmap_index/words.h"

namespace quire::bitmap_index {

// A value that ids of a block have.
struct BlockEntry {
  Code code;
  std::size_t count = 0;
  Words words;                       // of the block's ids
  std::vector<std::uint64_t> rests;  // in the order of positions; empty where the code has none
};

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void put_positions(std::string& out, const BlockEntry& entry, std::size_t ids) {
  if (!is_sparse(entry.count, ids)) {
    for (auto word : entry.words) put(out, word);
    return;
  }
  for (std::size_t at = 0; at < ids; ++at) {
    if (has(entry.words, at)) put(out, static_cast<std::uint16_t>(at));
  }
}

// `entries` are sorted by code and not empty. `numbers`: the facet is a number, so codes have
// rests.
inline std::string encode_block_row(std::size_t ids, std::span<const BlockEntry> entries,
                                    bool numbers) {
  std::string out;
  put(out, static_cast<std::uint32_t>(ids));
  put(out, static_cast<std::uint32_t>(entries.size()));
  for (const auto& entry : entries) put(out, entry.code);
  for (const auto& entry : entries) put(out, static_cast<std::uint16_t>(entry.count));
  auto rests_of = [&](const BlockEntry& entry) { return numbers ? rest_size(entry.code) : 0; };
  std::size_t offset = block_row_head + entries.size() * block_entry_head;
  for (const auto& entry : entries) {
    put(out, static_cast<std::uint32_t>(offset));
    offset += positions_size(entry.count, ids) + entry.count * rests_of(entry);
  }
  for (const auto& entry : entries) {
    put_positions(out, entry, ids);
    if (auto size = rests_of(entry)) {
      for (auto rest : entry.rests) out.append(reinterpret_cast<const char*>(&rest), size);
    }
  }
  return out;
}

}  // namespace quire::bitmap_index
