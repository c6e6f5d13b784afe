// The view of one request: a read transaction. It suspends only to give the other coroutines of the
// loop their turn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lmdb/ranked_set.h"
#include "store/embedded/databases.h"
#include "store/embedded/format.h"
#include "store/store.h"

namespace quire::embedded {

class LmdbView : public View, public Ranks {
 public:
  explicit LmdbView(const Databases& databases);

  Awaitable<Result<Counts>> counts(std::string_view product) override;
  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges,
                                             bool documents) override;
  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override;
  Awaitable<Result<std::string_view>> get(const Ulid& id) override;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override;
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                 std::size_t limit) override;
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override;
  std::string start_key(std::string_view product, const Cell& list, const Ulid& after) override;
  double consumed() const override { return 0; }

  // The view answers questions by rank itself, from the lists.
  Ranks* ranks() override { return this; }
  Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                        std::span<const Cell> lists) override;
  Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) override;
  Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                      std::span<const Cell> lists,
                                                      const Ulid& id) override;
  Awaitable<Result<std::vector<Probe>>> probe(std::string_view product, std::span<const Cell> lists,
                                              std::span<const Pivot> pivots) override;

 private:
  // nullptr: there is no such product. unavailable: its row is damaged.
  Result<const ProductRow*> product(std::string_view name);
  Slice read_list(const ProductRow& row, Order order, const Range& range);
  Slice read_comments(const ProductRow& row, Order order, const Range& range);
  void fill(const ProductRow& row, std::span<Entry> entries);
  std::string_view placeholder(const ProductRow& row, const Ulid& id);
  Entry scanned(std::string_view key, std::string_view value);
  lmdb::RankedReader& ranked();
  std::optional<std::uint32_t> list_number(std::string_view product, const Cell& list);
  std::vector<std::uint64_t> ranks_of(std::string_view product, std::span<const Cell> lists,
                                      const Ulid& id);

  const Databases& db_;
  lmdb::ReadTransaction txn_;
  lmdb::Cursor comments_;
  lmdb::Cursor lists_;
  std::optional<lmdb::RankedReader> ranked_;  // made at the first question
  std::string name_;                          // of the product in row_
  std::optional<ProductRow> row_;  // cached: a request asks several times for one product
};

}  // namespace quire::embedded
