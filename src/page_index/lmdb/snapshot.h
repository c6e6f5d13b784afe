// The contents of a page index at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "change/target.h"
#include "lmdb/ranked_set.h"
#include "page_index/lmdb/databases.h"
#include "page_index/lmdb/format.h"
#include "page_index/ranks.h"

namespace quire::page_index {

// A read transaction. Never suspends. Throws std::exception where the data is damaged or cannot be
// read.
class Snapshot : public Ranks {
 public:
  explicit Snapshot(const IndexDatabases& databases);

  change::State state();
  std::vector<std::string> products(std::string_view after, std::size_t limit);
  std::vector<FacetValue> languages(std::string_view product);

  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<Probe>>> probe(std::string_view product, std::span<const Cell> lists,
                                              std::span<const Pivot> pivots) override;
  // Uses the lengths of the snapshot instead of `lengths`.
  Awaitable<Result<FoundNth>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                           std::span<const std::uint64_t> lengths,
                                           std::uint64_t n) override;

 private:
  std::string_view meta(std::string_view key) const;
  std::optional<ProductLists> product(std::string_view name) const;
  // Per list its number. Nothing: the product has no such list.
  using Numbers = std::vector<std::optional<lmdb::List>>;
  Numbers numbers(std::string_view product, std::span<const Cell> lists) const;
  std::vector<std::uint64_t> ranks_of(const Numbers& lists, const Ulid& id);

  const IndexDatabases& db_;
  lmdb::ReadTransaction txn_;
  lmdb::RankedReader ranked_;
};

}  // namespace quire::page_index
