// Questions by rank to lists, answered from bitmaps: a list is a selection of a language, a rating,
// both or none.
#pragma once

#include "page_index/lmdb/snapshot.h"
#include "page_index/page_index.h"

namespace quire::page_index {

// The snapshot must outlive it. Throws as Snapshot.
class ListRanks : public Ranks {
 public:
  explicit ListRanks(const Snapshot& snapshot) : snapshot_(snapshot) {}

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override;
  // Does not need `length`.
  Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                       std::uint64_t length, std::uint64_t n) override;

 private:
  const Snapshot& snapshot_;
};

}  // namespace quire::page_index
