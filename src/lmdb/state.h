// What a transaction sees: the map of the data file, and the trees of one state in it.
#pragma once

#include <lmdb.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lmdb/data_file.h"

namespace quire::lmdb {

// The pages of the data file, in the memory to which LMDB maps it.
class Map {
 public:
  // `met` is called for each damaged page that is met, with its name: "page 84".
  Map(std::string path, std::function<void(std::string_view)> met)
      : path_(std::move(path)), met_(std::move(met)) {}

  // Until set() and after reset() there are no pages.
  void set(const char* begin, std::uint32_t page_size, int file);
  void reset() { begin_ = nullptr; }
  explicit operator bool() const { return begin_ != nullptr; }

  std::uint32_t page_size() const { return page_size_; }
  int file() const { return file_; }  // its descriptor
  // The bytes of several pages. nullptr: they lie behind the end of the file.
  const char* find(PageNumber first, std::uint64_t pages) const {
    if (first >= pages_ || pages > pages_ - first) grow();
    if (first >= pages_ || pages > pages_ - first) return nullptr;
    return begin_ + first * page_size_;
  }
  // Throws Damaged, with a sentence that names the file and the page.
  [[noreturn]] void damaged(PageNumber page, const char* what) const;

 private:
  void grow() const;

  const std::string path_;
  const std::function<void(std::string_view)> met_;
  std::atomic<const char*> begin_ = nullptr;
  std::uint32_t page_size_ = 0;
  int file_ = -1;
  mutable std::atomic<std::uint64_t> pages_ = 0;  // of the file, when it was last asked
};

// The names of the databases of an environment, by their handles.
using Names = std::vector<std::string>;

// Serves one thread at a time.
class State {
 public:
  State(const Map& map, const Names& names) : map_(map), names_(names), trees_(names.size()) {}

  // Takes the state that a transaction of this number left, and a reader of this number sees.
  // False: later transactions overwrote its meta page. Throws Damaged.
  bool take(std::uint64_t transaction);

  const Meta& meta() const { return meta_; }
  // The tree of a database. It has no root where the state has no such database. Throws Damaged.
  const Tree& tree(MDB_dbi database);
  std::optional<Tree> find(std::string_view database) const;
  // The value under a key. Throws Damaged.
  std::optional<std::string_view> find(const Tree& tree, std::string_view key) const;

  // The bytes of several pages that are in use. Throws Damaged where there are no such pages.
  const char* pages(PageNumber first, std::uint64_t count = 1) const {
    bool within = first >= 2 && first <= meta_.last_page && count <= meta_.last_page + 1 - first;
    const char* bytes = within ? map_.find(first, count) : nullptr;
    if (!bytes) damaged(first, "is not there");
    return bytes;
  }
  std::uint32_t page_size() const { return meta_.page_size; }
  [[noreturn]] void damaged(PageNumber page, const char* what) const { map_.damaged(page, what); }

 private:
  const Map& map_;
  const Names& names_;
  Meta meta_;
  bool taken_ = false;
  std::vector<std::optional<Tree>> trees_;  // by handle, once asked for
};

}  // namespace quire::lmdb
