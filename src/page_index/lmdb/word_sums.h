// Hashes of the terms of comments, by which an index of words is compared with another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "lmdb/environment.h"
#include "quire/ulid.h"
#include "word_index/databases.h"
#include "word_index/merge.h"
#include "word_index/reader.h"

namespace quire::page_index {

// Thread-safe. Keeps the sums of the segments that were asked for: what a segment has of a comment
// that is there never changes while the index lives.
class WordSums {
 public:
  // Sums that are kept, 4 bytes each: beyond it, what is kept is forgotten.
  static constexpr std::size_t max_kept = std::size_t{64} << 20;

  // Of each comment of the product, in this order; 0: it has no words. The ids ascend, and are of
  // the product. `life`: names the life of the index. Throws lmdb::Damaged, lmdb::Failure.
  std::vector<std::uint64_t> of(const word_index::Databases& words, const lmdb::Transaction& txn,
                                std::string_view life, bitmap_index::Reader& product,
                                std::span<const Ulid> ids);

 private:
  using Sums = std::vector<std::uint32_t>;  // by position in the segment
  const Sums& of_segment(const word_index::Segment& segment, word_index::RowSource& rows);
  std::uint32_t of_slot(word_index::Slot slot, word_index::Reader& reader);

  std::mutex mutex_;
  std::string life_;                       // guarded by mutex_, as those below
  std::map<word_index::Slot, Sums> kept_;  // by the segment's first slot
  std::size_t size_ = 0;                   // sums
};

}  // namespace quire::page_index
