// The way of a read: TableView makes queries (items/layout.h), LoopThread takes them to the store's
// thread, TableClient signs and repeats them, HttpClient sends them. The way of a write: Writes
// makes writes of items, Commits makes one transaction of them, and TableClient sends it.
#include "store/dynamodb/store.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "plan/plan.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/comments/writes.h"

namespace quire::dynamodb {
namespace {

constexpr double unit = 0.5;          // of an eventually consistent read
constexpr double unit_bytes = 4096;   // that a unit pays for, per query
constexpr double per_request = 0.01;  // between plans of the same price, fewer queries win

}  // namespace

Generation Generations::present(std::string_view product, Time now) const {
  auto hash = std::hash<std::string_view>()(product);
  // Each product's lifetimes begin at another moment, so that not all pages are made anew at once.
  auto begin = std::chrono::milliseconds(hash % lifetime.count());
  auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  const auto& writes = product.empty() ? any_ : writes_[hash % writes_.size()];
  // The sum of two numbers that only grow.
  return {.product = writes + all_,
          .store = static_cast<std::uint64_t>((passed + begin) / lifetime)};
}

void Generations::end(std::string_view product) {
  ++writes_[std::hash<std::string_view>()(product) % writes_.size()];
  ++any_;
}

std::vector<Metric> figures_of(TableAccess& access) {
  auto& metrics = access.client.metrics();
  auto count = [](const std::atomic<std::uint64_t>& value) { return static_cast<double>(value); };
  return {
      {"quire_table_requests_total", "Requests to the table, each with all its tries",
       count(metrics.requests)},
      {"quire_table_retries_total", "Tries after the first", count(metrics.retries)},
      {"quire_table_throttled_total", "Tries that the table throttled", count(metrics.throttled)},
      {"quire_table_failures_total", "Requests given up", count(metrics.failed)},
      {"quire_table_read_units_total", "Read units consumed", metrics.consumed},
      {DamagedItems::counter, DamagedItems::counter_help,
       static_cast<double>(access.damaged.total())}};
}

struct TableStore::Parts {
  explicit Parts(const Address& address)
      : access(address),
        commits(access.loop.context(), access.client, access.totals, access.empty_lists,
                address.statistics, address.leaders),
        writes(access.client, commits, access.parts, access.totals) {}

  TableAccess access;
  Commits commits;
  Writes writes;
  Generations generations;
};

TableStore::TableStore(const Address& address) : parts_(std::make_unique<Parts>(address)) {}
TableStore::~TableStore() = default;

TableAccess& TableStore::access() {
  return parts_->access;
}

CostModel TableStore::costs() const {
  double units = parts_->access.entry_bytes / unit_bytes;
  CostModel costs{.per_list = per_request, .per_entry = {}, .step = unit};
  costs.per_entry.fill(units * unit);
  for (std::size_t i = 0; i < indexes.size(); ++i)
    if (parts_->access.filling.has(i)) costs.per_entry[i] = no_such_list;
  costs.per_comment = std::max(1.0, std::ceil(units)) * unit;
  return costs;
}

std::unique_ptr<View> TableStore::view() {
  return std::make_unique<TableView>(parts_->access);
}

std::vector<Metric> TableStore::metrics() const {
  return figures_of(parts_->access);
}

std::optional<Generation> TableStore::generation(std::string_view product) {
  return parts_->generations.present(product);
}

Awaitable<Status> TableStore::ready() {
  co_return co_await parts_->access.loop.run(look_at_lists(parts_->access));
}

Awaitable<Result<std::string>> TableStore::insert(Comment comment, std::optional<RequestKey> once,
                                                  CustomerTerms terms) {
  auto product = comment.product;
  auto inserted = co_await parts_->access.loop.run(
      parts_->writes.insert(std::move(comment), once, std::move(terms)));
  parts_->generations.end(product);  // also after an error: the table may have the comment
  co_return inserted;
}

Awaitable<Erasure> TableStore::erase(CustomerHash customer, bool keep_ratings) {
  auto erasure = co_await parts_->access.loop.run(parts_->writes.erase(customer, keep_ratings));
  parts_->generations.end_all();
  co_return erasure;
}

Awaitable<Result<Edited>> TableStore::update(Ulid id, Patch patch, Condition condition,
                                             Moderate moderate) {
  auto edited = co_await parts_->access.loop.run(
      parts_->writes.update(id, std::move(patch), std::move(condition), std::move(moderate)));
  parts_->generations.end_all();  // its product is not known after an error
  co_return edited;
}

Awaitable<Result<std::string>> TableStore::remove(Ulid id, Condition condition) {
  auto removed = co_await parts_->access.loop.run(parts_->writes.remove(id, std::move(condition)));
  parts_->generations.end_all();
  co_return removed;
}

Awaitable<Result<Voted>> TableStore::vote(Ulid id, CustomerHash customer,
                                          std::optional<Vote> vote) {
  auto voted = co_await parts_->access.loop.run(parts_->writes.vote(id, customer, vote));
  parts_->generations.end_all();
  co_return voted;
}

Awaitable<Result<bool>> TableStore::sweep() {
  co_return co_await parts_->access.loop.run(sweep_some(parts_->access.client));
}

Awaitable<Result<std::optional<Edited>>> TableStore::report(Ulid id, Report report,
                                                            std::uint64_t hold_at) {
  auto held =
      co_await parts_->access.loop.run(parts_->writes.report(id, std::move(report), hold_at));
  if (!held || *held) parts_->generations.end_all();
  co_return held;
}

Awaitable<Result<Edited>> TableStore::undo(Ulid id, Undo undo, Condition condition) {
  auto undone = co_await parts_->access.loop.run(
      parts_->writes.undo(id, std::move(undo), std::move(condition)));
  parts_->generations.end_all();
  co_return undone;
}

Awaitable<Status> TableStore::keep_report(Ulid id, Report report) {
  co_return co_await parts_->access.loop.run(parts_->writes.keep_report(id, std::move(report)));
}

Awaitable<Result<std::size_t>> TableStore::forget_contacts(std::uint64_t decided_before_ms) {
  co_return co_await parts_->access.loop.run(parts_->writes.forget_contacts(decided_before_ms));
}

Status TableStore::check(const Comment& comment) const {
  return check_size(comment);
}

Awaitable<Result<Imported>> TableStore::import_rows(std::vector<ImportRow> rows,
                                                    ImportTerms terms) {
  auto imported = co_await parts_->access.loop.run(
      parts_->writes.import_rows(std::move(rows), std::move(terms)));
  parts_->generations.end_all();
  co_return imported;
}

Awaitable<Status> TableStore::keep_removed(std::vector<Ulid> ids) {
  co_return co_await parts_->access.loop.run(parts_->writes.keep_removed(std::move(ids)));
}

Awaitable<Result<std::size_t>> TableStore::put_facts(std::vector<NamedFacts> all,
                                                     FactsCondition condition) {
  auto changed = [this](std::string_view product) { parts_->generations.end(product); };
  co_return co_await parts_->access.loop.run(
      parts_->writes.put_facts(std::move(all), std::move(condition), changed));
}

Awaitable<Status> TableStore::remove_facts(std::string product, FactsCondition condition) {
  auto removed =
      co_await parts_->access.loop.run(parts_->writes.remove_facts(product, std::move(condition)));
  parts_->generations.end(product);
  co_return removed;
}

Awaitable<Status> TableStore::declare(Facet facet) {
  auto declared = co_await parts_->access.loop.run(parts_->access.facets.declare(std::move(facet)));
  parts_->generations.end_all();
  co_return declared;
}

Awaitable<Status> TableStore::drop(std::string name) {
  auto dropped = co_await parts_->access.loop.run(parts_->access.facets.drop(std::move(name)));
  parts_->generations.end_all();
  co_return dropped;
}

Awaitable<Result<std::string>> TableStore::keys(std::string item, std::string fresh) {
  co_return co_await parts_->access.loop.run(
      parts_->writes.keys(std::move(item), std::move(fresh)));
}

}  // namespace quire::dynamodb
