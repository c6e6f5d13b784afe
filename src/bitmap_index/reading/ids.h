// The ids of a block, by position.
#pragma once

#include <cstddef>

#include "bitmap_index/reading/reader.h"

namespace quire::bitmap_index {

// Walks over the pages of ids. It only goes forward: positions must not descend from one call to
// the next. Throws as Reader.
class BlockIds {
 public:
  // `start` of a block that has ids.
  BlockIds(Reader& reader, const Ulid& start);

  Ulid at(std::size_t position);
  // How many of the first `ids` ids are below `id`.
  std::size_t lower_bound(const Ulid& id, std::size_t ids);

 private:
  void read_page();
  bool next_page();
  Ulid in_page(std::size_t index) const;

  lmdb::Cursor cursor_;
  std::string_view page_;   // the ids of a page, one after the other
  std::size_t before_ = 0;  // ids of the page that are before the block
  std::size_t passed_ = 0;  // ids of the block on earlier pages
};

}  // namespace quire::bitmap_index
