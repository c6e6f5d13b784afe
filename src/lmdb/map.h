// The pages of the data file, in the memory to which LMDB maps it.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "lmdb/data_file.h"

namespace quire::lmdb {

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
  // The bytes of several pages. nullptr: they lie behind the end of the file.
  const char* find(PageNumber first, std::uint64_t pages) const {
    if (first >= pages_ || pages > pages_ - first) grow();
    if (first >= pages_ || pages > pages_ - first) return nullptr;
    return begin_ + first * page_size_;
  }
  const std::string& path() const { return path_; }
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

}  // namespace quire::lmdb
