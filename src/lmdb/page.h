// A page of LMDB's, and what is in it.
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

#include "lmdb/data_file.h"

namespace quire::lmdb {

inline constexpr std::uint16_t page_branch = 1, page_leaf = 2, page_overflow = 4, page_meta = 8;
inline constexpr std::uint16_t node_overflow = 1, node_tree = 2;
inline constexpr std::size_t page_head = 16, node_head = 8, tree_size = 48;

// In the machine's own order of bytes, as LMDB writes them.
template <class T>
T get(const char* at) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Tree read_tree(const char* at);

struct Node {
  std::string_view key;
  std::uint16_t flags = 0;     // of a leaf's
  PageNumber child = no_page;  // of a branch's, or where a leaf's long value lies
  std::uint64_t size = 0;      // of a leaf's value
  std::string_view value;      // if it lies in the page
};

// The nodes of a branch or leaf page, in their order. Throws Damaged where the page is not whole:
// its nodes must fill the place it says they take, each once.
std::vector<Node> nodes_of(const std::vector<char>& page, PageNumber number);

// Throws Damaged if a page behind the file's end is one that is in use.
void check_missing_pages(const DataFile& file, const Meta& meta);

}  // namespace quire::lmdb
