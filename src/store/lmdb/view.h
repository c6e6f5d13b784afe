// One request's sight of the embedded store: a read transaction. Completes at once, never suspends.
#pragma once

#include <optional>
#include <string>

#include "store/lmdb/databases.h"
#include "store/lmdb/format.h"
#include "store/store.h"

namespace quire::embedded {

class LmdbView : public View {
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
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override;
  std::string start_key(std::string_view product, const Cell& list, const Ulid& after) override;
  double consumed() const override { return 0; }

 private:
  const ProductRow* product(std::string_view name);
  Slice read_list(const ProductRow& row, Order order, const Range& range);
  Slice read_comments(const ProductRow& row, Order order, const Range& range);
  void fill(Block product, std::span<Entry> entries);

  const Databases& db_;
  lmdb::ReadTransaction txn_;
  lmdb::Cursor comments_;
  lmdb::Cursor lists_;
  std::string name_;               // of the product held in row_
  std::optional<ProductRow> row_;  // one request asks for one product, several times
};

}  // namespace quire::embedded
