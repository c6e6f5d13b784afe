// The layout of a page of LMDB's data file.
#pragma once

#include <string_view>

#include "lmdb/data_file.h"

namespace quire::lmdb {

inline constexpr std::uint16_t page_branch = 1, page_leaf = 2, page_overflow = 4, page_meta = 8;
// A page of keys of one size, which follow each other without nodes; and one within an entry.
inline constexpr std::uint16_t page_fixed = 32, page_within = 64, page_dirty = 16;
inline constexpr std::uint16_t node_overflow = 1, node_tree = 2, node_several = 4;
// Kinds of databases: several values under a key, and all of one size.
inline constexpr std::uint16_t tree_several = 4, tree_fixed = 16;
inline constexpr std::size_t page_head = 16, node_head = 8, tree_size = 48;
inline constexpr std::size_t max_key = 511;

// What a tree keeps. `several`: several values of one size under a key; `values`: those under one
// key.
enum class Kind { free, main, data, several, values };

Tree read_tree(const char* at);
// How many pages a long value takes.
inline std::uint64_t pages_for(std::uint64_t value_size, std::uint64_t page_size) {
  return (page_head + value_size + page_size - 1) / page_size;
}

struct Node {
  std::string_view key;
  std::uint16_t flags = 0;     // of a leaf
  PageNumber child = no_page;  // of a branch; of a leaf, the first page of a long value
  std::uint64_t size = 0;      // of the value of a leaf
  std::string_view value;      // empty if it lies in other pages
};

// The nodes of a branch or leaf page, in order. Throws Damaged where the page is not whole: its
// nodes must fill the space between its bounds without gaps or overlaps.
std::vector<Node> nodes_of(std::string_view page, PageNumber number);

// The values of a page of values of `size` bytes, in order. Throws Damaged where it is not whole.
// `within`: the page lies within an entry, where LMDB forgets to clear the mark of a change.
std::vector<std::string_view> values_of(std::string_view page, std::size_t size, PageNumber number,
                                        bool within);

// The first page of entries in the list of databases, which has some. Throws Damaged.
PageNumber first_leaf(const DataFile& file, const Meta& meta);
// Throws Damaged if the list of free pages is not whole.
void check_free_list(const DataFile& file, const Meta& meta);
// Throws Damaged if a page that is in use lies behind the end of the file.
void check_missing_pages(const DataFile& file, const Meta& meta);

}  // namespace quire::lmdb
