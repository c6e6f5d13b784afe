#include "store/embedded/store.h"
#include "base/try.h"

#include "store/embedded/view.h"
#include "store/embedded/words.h"
#include "word_index/terms.h"

namespace quire::embedded {
namespace {

constexpr std::size_t max_totals = 64 << 20;  // bytes of totals per filter that memory keeps

}  // namespace

Result<std::unique_ptr<LmdbStore>> LmdbStore::open(const std::string& directory, Access access) {
  TRY(auto databases, open_databases(directory, access));
  return std::unique_ptr<LmdbStore>(new LmdbStore(std::move(databases), access));
}

LmdbStore::LmdbStore(std::unique_ptr<Databases> databases, Access access)
    : databases_(std::move(databases)), totals_(max_totals) {
  if (access == Access::write) writer_.emplace(*databases_, totals_, bell_);
}

std::unique_ptr<View> LmdbStore::view() {
  return std::make_unique<LmdbView>(*databases_, totals_);
}

std::optional<Generation> LmdbStore::generation(std::string_view product) try {
  return LmdbView(*databases_, totals_).generation(product);
} catch (const std::exception&) {
  return {};
}

std::optional<std::uint64_t> LmdbStore::newest_commit() {
  return databases_->environment->newest_commit();
}

std::vector<Metric> LmdbStore::metrics() const {
  auto totals = totals_.statistics();
  auto metric = [](const char* name, const char* help, std::uint64_t value) {
    return Metric{name, help, static_cast<double>(value)};
  };
  return {metric("quire_store_damaged_total",
                 "Damaged comments and rows met while reading, and left out; quire verify names "
                 "them",
                 databases_->damage.met()),
          metric("quire_filter_totals_found_total",
                 "Answers under a filter from totals that were kept", totals.hits),
          metric("quire_filter_totals_counted_total",
                 "Answers under a filter that found no totals kept", totals.misses),
          metric("quire_filter_totals_evicted_total", "Totals of filters that made room for others",
                 totals.evictions)};
}

Awaitable<Status> LmdbStore::ready() {
  LmdbView view(*databases_, totals_);
  CO_TRY_DONE(co_await view.products("", 1));
  co_return Done{};
}

Awaitable<Result<std::string>> LmdbStore::insert(Comment comment, std::optional<RequestKey> once,
                                                 CustomerTerms terms) {
  // Before the write waits for its turn: this takes most of the time of a post.
  word_index::Terms words;
  if (databases_->has_words && comment.published()) words = word_index::terms_of(comment);
  return write<std::string>([comment = std::move(comment), once, terms, words = std::move(words)](
                                Edit& edit) { return edit.insert(comment, once, terms, words); });
}

Awaitable<Result<Voted>> LmdbStore::vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) {
  return write<Voted>([id, customer, vote](Edit& edit) { return edit.vote(id, customer, vote); });
}

Awaitable<Result<Edited>> LmdbStore::update(Ulid id, Patch patch, Condition condition,
                                            Moderate moderate) {
  return write<Edited>([id, patch = std::move(patch), condition = std::move(condition),
                        moderate = std::move(moderate)](Edit& edit) {
    return edit.update(id, patch, condition, moderate);
  });
}

Awaitable<Result<std::optional<Edited>>> LmdbStore::report(Ulid id, Report report,
                                                           std::uint64_t hold_at) {
  return write<std::optional<Edited>>([id, report = std::move(report), hold_at](Edit& edit) {
    return edit.report(id, report, hold_at);
  });
}

Awaitable<Result<Edited>> LmdbStore::undo(Ulid id, Undo undo, Condition condition) {
  return write<Edited>([id, undo = std::move(undo), condition = std::move(condition)](Edit& edit) {
    return edit.undo(id, undo, condition);
  });
}

Awaitable<Status> LmdbStore::keep_report(Ulid id, Report report) {
  return write<Done>(
      [id, report = std::move(report)](Edit& edit) { return edit.keep_report(id, report); });
}

Awaitable<Result<std::string>> LmdbStore::remove(Ulid id, Condition condition) {
  return write<std::string>(
      [id, condition = std::move(condition)](Edit& edit) { return edit.remove(id, condition); });
}

Awaitable<Result<Imported>> LmdbStore::import_rows(std::vector<ImportRow> rows, ImportTerms terms) {
  return write<Imported>([rows = std::move(rows), terms = std::move(terms)](Edit& edit) {
    return edit.import_rows(rows, terms);
  });
}

Awaitable<Status> LmdbStore::keep_removed(std::vector<Ulid> ids) {
  return write<Done>([ids = std::move(ids)](Edit& edit) { return edit.keep_removed(ids); });
}

Awaitable<Status> LmdbStore::declare(Facet facet) {
  return write<Done>([facet = std::move(facet)](Edit& edit) { return edit.declare(facet); });
}

Awaitable<Status> LmdbStore::drop(std::string name) {
  return write<Done>([name = std::move(name)](Edit& edit) { return edit.drop(name); });
}

Awaitable<Status> LmdbStore::add_words() {
  return write<Done>([](Edit& edit) { return edit.add_words(); });
}

Awaitable<Status> LmdbStore::drop_words() {
  return write<Done>([](Edit& edit) { return edit.drop_words(); });
}

std::string LmdbStore::customer_check() const {
  lmdb::ReadTransaction txn(*databases_->environment);
  if (!has_customers(*databases_, txn.get())) return {};
  return std::string(txn.find(databases_->meta, "customer_check").value_or(""));
}

Awaitable<Result<std::string>> LmdbStore::keep_customer_check(std::string fresh) {
  return write<std::string>([fresh = std::move(fresh)](Edit& edit) -> Result<std::string> {
    return edit.customer_check(fresh);
  });
}

Awaitable<Result<Edit::Rebuilt>> LmdbStore::rebuild() {
  auto rebuilt = co_await write<Edit::Rebuilt>(
      [](Edit& edit) -> Result<Edit::Rebuilt> { return edit.rebuild(); });
  if (!rebuilt) co_return rebuilt.error();
  databases_->keyless = false;
  totals_.drop_all();
  co_return rebuilt;
}

}  // namespace quire::embedded
