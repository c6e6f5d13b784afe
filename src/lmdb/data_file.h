// LMDB's data file as bytes: whether it can be what LMDB wrote. LMDB maps the file and believes
// it; what is looked at here beforehand cannot end the program.
// LMDB 0.9, on machines of 64 bits: https://www.openldap.org/, lmdb.h and mdb.c.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quire::lmdb {

using PageNumber = std::uint64_t;
inline constexpr PageNumber no_page = ~PageNumber{0};

// The root of a tree of pages, with what LMDB counts in it.
struct Tree {
  std::uint32_t pad = 0;
  std::uint16_t flags = 0, depth = 0;
  std::uint64_t branches = 0, leaves = 0, overflows = 0, entries = 0;
  PageNumber root = no_page;
};

// One of the two pages that name a state of the environment.
struct Meta {
  Tree free, main;
  PageNumber last_page = 0;
  std::uint64_t transaction = 0;
  std::uint32_t page_size = 0;
};

class DataFile {
 public:
  // Throws std::system_error when it cannot be read.
  explicit DataFile(const std::string& path);
  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  std::uint64_t size() const;
  // Both, in their order. Throws Damaged, with a reason that follows "… is damaged: ".
  std::array<Meta, 2> metas() const;
  // Reads `pages` whole pages; false: they lie behind the file's end.
  bool read(PageNumber first, std::size_t pages, std::uint32_t page_size,
            std::vector<char>& out) const;

 private:
  int file_;
};

// Whether a file is LMDB's at all, by its first bytes.
bool is_lmdb(const DataFile& file);

// What can be known before LMDB opens the file: its two states belong together, and lie within the
// file. Throws Damaged.
void check_before_opening(const DataFile& file);

// The state that a transaction sees. Nothing: two others were committed since it began.
std::optional<Meta> state_of(const DataFile& file, std::uint64_t transaction);

struct Walked {
  std::vector<std::string> faults;  // one sentence each, the first hundred
  std::uint64_t pages = 0;          // in use
  std::uint64_t free_pages = 0;
};
// Walks the trees of a state, which a transaction must keep as it is meanwhile. `whole`: every page
// is looked at, and accounted for; else the tree of databases and their roots.
Walked walk(const DataFile& file, const Meta& state, bool whole);

}  // namespace quire::lmdb
