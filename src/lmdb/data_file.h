// Checks the bytes of LMDB's data file. LMDB maps the file into memory and trusts it, so damage
// could end the program; this check runs before LMDB opens the file. The format is that of LMDB 0.9
// on 64-bit machines: https://www.openldap.org/, lmdb.h and mdb.c.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quire::lmdb {

using PageNumber = std::uint64_t;
inline constexpr PageNumber no_page = ~PageNumber{0};

// The root of a tree of pages, and the counts that LMDB keeps with it.
struct Tree {
  std::uint32_t pad = 0;
  std::uint16_t flags = 0, depth = 0;
  std::uint64_t branches = 0, leaves = 0, overflows = 0, entries = 0;
  PageNumber root = no_page;
};

// One of the two meta pages. Each names a state of the environment.
struct Meta {
  Tree free, main;
  PageNumber last_page = 0;
  std::uint64_t transaction = 0;
  std::uint32_t page_size = 0;
};

// Reads a meta page. Throws Damaged; its text follows "… is damaged: ".
Meta read_meta(const char* page);

class DataFile {
 public:
  // Throws std::system_error when the file cannot be read, and Damaged when it is no file.
  explicit DataFile(const std::string& path);
  // `file`: open; it may have no name any more. Throws std::system_error.
  explicit DataFile(int file);
  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  std::uint64_t size() const;
  // Both meta pages, in the order of the file. Throws Damaged; its text follows "… is damaged: ".
  std::array<Meta, 2> metas() const;
  // Reads `pages` whole pages. False: they lie behind the end of the file.
  bool read(PageNumber first, std::size_t pages, std::uint32_t page_size,
            std::vector<char>& out) const;

 private:
  int file_;
};

// Whether the first bytes are those of an LMDB file.
bool is_lmdb(const DataFile& file);

// Checks that the two states belong together and lie within the file. Call it before LMDB opens the
// file. Throws Damaged.
void check_before_opening(const DataFile& file);

// The state that a transaction sees. Absent: two later transactions were committed since it began,
// and reused its meta page.
std::optional<Meta> state_of(const DataFile& file, std::uint64_t transaction);

// The last transaction that was committed. Throws Damaged.
std::uint64_t last_transaction(const DataFile& file);

struct Walked {
  std::vector<std::string> faults;  // the first hundred, each one sentence
  std::uint64_t pages = 0;          // in use
  std::uint64_t free_pages = 0;
};
// Walks the trees of a state. A transaction must hold the state meanwhile. `whole`: reads and
// accounts for every page; otherwise reads only the tree of databases and their roots.
Walked walk(const DataFile& file, const Meta& state, bool whole);

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
enum class TreeKind { free, main, data, several, values };

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
