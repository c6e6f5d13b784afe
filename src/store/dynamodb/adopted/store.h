// The store of a table that others made: it is read, and never written.
#pragma once

#include <memory>

#include "page_index/page_index.h"
#include "store/dynamodb/adopted/table.h"
#include "store/dynamodb/store.h"
#include "store/ports.h"
#include "store/store.h"

namespace quire::adopted {

// Has a thread of its own, that of `access`. Writes are refused as forbidden.
class AdoptedStore : public Store, public FacetPort {
 public:
  // `index`: null where there is none; it must outlive the store.
  AdoptedStore(std::unique_ptr<dynamodb::TableAccess> access, AdoptedTable table, PageIndex* index)
      : access_(std::move(access)), table_(std::move(table)), index_(index) {}

  CostModel costs() const override;
  bool lists_first() const override { return false; }
  std::unique_ptr<View> view() override;
  std::vector<Metric> metrics() const override;
  std::optional<Generation> generation(std::string_view product) override;
  Awaitable<Status> ready() override;
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                        CustomerTerms terms = {}) override;
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Moderate moderate = {}) override;
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) override;
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows,
                                          ImportTerms terms = {}) override;
  Awaitable<Status> keep_removed(std::vector<Ulid> ids) override;
  // Facets are kept in the page index, which has to be opened to write. They are in it when quire
  // backfill has built it anew.
  Awaitable<Status> declare(Facet facet) override;
  Awaitable<Status> drop(std::string name) override;
  FacetPort* facets() override { return this; }

 private:
  std::unique_ptr<dynamodb::TableAccess> access_;
  const AdoptedTable table_;
  PageIndex* index_;
  dynamodb::Generations generations_;
};

}  // namespace quire::adopted
