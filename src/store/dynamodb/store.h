// The store in a DynamoDB table, or in an engine that speaks its API, and what each store of a
// table has: generations and metrics. README.md has the folders below.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "dynamodb/address.h"
#include "model/generation.h"
#include "store/ports.h"
#include "store/store.h"

namespace quire::dynamodb {

struct TableAccess;

// The counters of the table's client. Any thread may call it.
std::vector<Metric> figures_of(TableAccess& access);

// For caches of answers. A table does not tell what other
// programs write, so each generation ends after a few seconds; a write of this process ends it at
// once. Thread-safe.
class Generations {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // How long a generation lasts at most.
  static constexpr std::chrono::milliseconds lifetime{3000};

  Generation present(std::string_view product, Time now = std::chrono::steady_clock::now()) const;

  // This process has, or may have, written to the product, or to any.
  void end(std::string_view product);
  void end_all() { ++all_; }

 private:
  // Products share counters: a write to one may end the generation of others early.
  std::array<std::atomic<std::uint64_t>, 1024> writes_{};
  std::atomic<std::uint64_t> any_ = 0;  // writes to any product
  std::atomic<std::uint64_t> all_ = 0;  // writes that concern all products
};

// Has a thread of its own. Requests are answered or given up within seconds. No request may be
// under way when it is destroyed.
class TableStore : public Store,
                   public CustomerPort,
                   public VotePort,
                   public FactsPort,
                   public FacetPort,
                   public ModerationPort {
 public:
  // Sends nothing.
  explicit TableStore(const Address& address);
  ~TableStore() override;

  CostModel costs() const override;
  std::unique_ptr<View> view() override;
  std::vector<Metric> metrics() const override;
  std::optional<Generation> generation(std::string_view product) override;
  Awaitable<Status> ready() override;
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                        CustomerTerms terms = {}) override;
  Awaitable<Erasure> erase(CustomerHash customer, bool keep_ratings) override;
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Moderate moderate = {}) override;
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) override;
  Awaitable<Result<Voted>> vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) override;
  Awaitable<Result<bool>> sweep() override;
  Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report,
                                                  std::uint64_t hold_at) override;
  Awaitable<Result<Edited>> undo(Ulid id, Undo undo, Condition condition) override;
  Awaitable<Status> keep_report(Ulid id, Report report) override;
  Awaitable<Result<std::size_t>> forget_contacts(std::uint64_t decided_before_ms) override;
  Status check(const Comment& comment) const override;
  // New comments in transactions of up to a hundred items: each adds all of its comments or none.
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows,
                                          ImportTerms terms = {}) override;
  Awaitable<Status> keep_removed(std::vector<Ulid> ids) override;
  // Item by item, some at once.
  Awaitable<Result<std::size_t>> put_facts(std::vector<NamedFacts> all,
                                           FactsCondition condition = {}) override;
  Awaitable<Status> remove_facts(std::string product, FactsCondition condition = {}) override;
  Awaitable<Status> declare(Facet facet) override;
  Awaitable<Status> drop(std::string name) override;
  CustomerPort* customers() override { return this; }
  VotePort* votes() override { return this; }
  FactsPort* facts() override { return this; }
  FacetPort* facets() override { return this; }
  ModerationPort* moderation() override { return this; }
  // Comments that are inserted in a few seconds.
  std::size_t batch() const override { return 2000; }

  // The text of a key file that all processes on this table share, in the item of this name. If the
  // table has none, `fresh` is put there, unless it is empty. Returns the text that the table has
  // then; empty: none.
  Awaitable<Result<std::string>> keys(std::string item, std::string fresh);

  TableAccess& access();

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace quire::dynamodb
