// The embedded store: one directory with one LMDB environment. Readers never wait for the writer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "store/embedded/databases.h"
#include "store/embedded/writer.h"
#include "store/event_log.h"
#include "store/ports.h"
#include "store/store.h"
#include "store/successors.h"

namespace quire::embedded {

class LmdbStore : public Store,
                  public CustomerPort,
                  public VotePort,
                  public FactsPort,
                  public FacetPort,
                  public WordPort,
                  public ModerationPort,
                  public EventPort,
                  public SuccessorPort {
 public:
  static Result<std::unique_ptr<LmdbStore>> open(const std::string& directory, Access access);

  std::unique_ptr<View> view() override;
  std::vector<Metric> metrics() const override;
  std::optional<Generation> generation(std::string_view product) override;
  std::optional<std::uint64_t> newest_commit() override;
  Awaitable<Status> ready() override;
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                        CustomerTerms terms = {}) override;
  Awaitable<Erasure> erase(CustomerHash customer, bool keep_ratings) override;
  Awaitable<Result<Voted>> vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) override;
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Moderate moderate = {}) override;
  Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report,
                                                  std::uint64_t hold_at) override;
  Awaitable<Result<Edited>> undo(Ulid id, Undo undo, Condition condition) override;
  Awaitable<Status> keep_report(Ulid id, Report report) override;
  Awaitable<Result<std::size_t>> forget_contacts(std::uint64_t decided_before_ms) override;
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) override;
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows,
                                          ImportTerms terms = {}) override;
  Awaitable<Status> keep_removed(std::vector<Ulid> ids) override;
  std::string sorting_directory() const override { return databases_->directory; }

  Awaitable<Result<std::size_t>> put_facts(std::vector<NamedFacts> all,
                                           FactsCondition condition = {}) override;
  Awaitable<Status> remove_facts(std::string product, FactsCondition condition = {}) override;
  Awaitable<Status> declare(Facet facet) override;
  Awaitable<Status> drop(std::string name) override;
  Awaitable<Status> add_words() override;
  Awaitable<Status> drop_words() override;
  Awaitable<Result<std::optional<WordStatus>>> word_status() override;
  std::optional<Error> hindrance() const override {
    return writer_ ? writer_->hindrance() : std::nullopt;
  }

  Awaitable<Status> keep_events(bool kept) override;
  Bell& event_bell() override { return bell_; }

  std::optional<std::string> successor(std::string_view product) override;
  Awaitable<Result<Moved>> move(std::string from, std::string to) override;

  CustomerPort* customers() override { return this; }
  VotePort* votes() override { return this; }
  FactsPort* facts() override { return this; }
  FacetPort* facets() override { return this; }
  WordPort* words() override { return this; }
  ModerationPort* moderation() override { return this; }
  EventPort* event_log() override { return this; }
  SuccessorPort* successors() override { return this; }

  // What tells the key of the store's customers; empty: it has none yet.
  std::string customer_check() const;
  // Keeps `fresh` where there is none, or the store has no customers. Returns what is kept then.
  Awaitable<Result<std::string>> keep_customer_check(std::string fresh);

  // Rebuilds everything but comments and facets from the comments.
  Awaitable<Result<Edit::Rebuilt>> rebuild();

  const Databases& databases() const { return *databases_; }

 private:
  friend class Outbox;

  LmdbStore(std::unique_ptr<Databases> databases, Access access);

  template <class T, class Work>
  Awaitable<Result<T>> write(Work work);
  // Of an erasure, in customers_view.cc: adds what is removed, and the last damage. An error: what
  // is no damage.
  using Eraser =
      std::function<Result<Edit::ErasedPart>(Edit& edit, const std::vector<std::string>& keys)>;
  Awaitable<Status> erase_all(CustomerHash customer, bool keep_ratings, Erasure& out);
  // What these keys name, in small transactions.
  Awaitable<Status> erase_parts(std::vector<std::string> keys, Eraser eraser, Erasure& out);
  // The same of all keys of the database that begin so.
  Awaitable<Status> erase_under(MDB_dbi database, std::string prefix, Eraser eraser, Erasure& out);
  // Of a move, after its mark: some of the comments. Counts them, also where it fails. In
  // successors.cc.
  Awaitable<Status> bring_some(std::string from, Moved& moved);
  // Leaves no terms of comments that are gone. In words.cc.
  Awaitable<Status> sweep_words();

  std::unique_ptr<Databases> databases_;
  bitmap_index::KeptTotals totals_;
  Bell bell_;
  std::optional<Writer> writer_;  // with Access::write; it stops before the databases close
};

template <class T, class Work>
Awaitable<Result<T>> LmdbStore::write(Work work) {
  if (!writer_) {
    co_return Error{ErrorCode::unavailable, "The store was opened for reading only."};
  }
  SameWork same;
  co_return co_await writer_->run<T>(std::move(work));
}

}  // namespace quire::embedded
