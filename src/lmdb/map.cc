#include "lmdb/map.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "lmdb/sealed.h"

namespace quire::lmdb {

void Map::set(const char* begin, std::uint32_t page_size, int file) {
  page_size_ = page_size;
  file_ = file;
  pages_ = 0;
  begin_ = begin;
}

void Map::grow() const {
  struct stat about {};
  if (begin_ && fstat(file_, &about) == 0)
    pages_ = static_cast<std::uint64_t>(about.st_size) / page_size_;
}

void Map::damaged(PageNumber page, const char* what) const {
  if (met_) met_(fmt::format("page {}", page));
  throw Damaged(fmt::format("page {} of {} {}: run quire verify", page, path_, what));
}

}  // namespace quire::lmdb
