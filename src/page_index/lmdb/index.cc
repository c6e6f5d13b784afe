#include "page_index/lmdb/index.h"
#include "base/try.h"

#include "page_index/facet_view.h"
#include "page_index/lmdb/list_ranks.h"
#include "page_index/lmdb/snapshot.h"

namespace quire::page_index {
namespace {

class LmdbFacets : public FacetView {
 public:
  explicit LmdbFacets(const IndexDatabases& databases)
      : directory_(databases.directory),
        snapshot_(databases),
        phase_(snapshot_.phase()),
        schema_(snapshot_.schema()) {}

  change::Phase phase() const override { return phase_; }
  const Schema& schema() const override { return schema_; }

  Result<word_index::State> words() override try {
    return snapshot_.words_state();
  } catch (const std::exception& thrown) {
    return explain(directory_, thrown);
  }

  Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) override try {
    return std::optional(snapshot_.bitmaps(product));
  } catch (const std::exception& thrown) {
    return explain(directory_, thrown);
  }

  Awaitable<Result<std::vector<IndexedComment>>> comments(std::string_view product,
                                                          std::optional<Ulid> after,
                                                          std::size_t limit) override try {
    auto source = snapshot_.bitmaps(product);
    if (!source.reader) co_return std::vector<IndexedComment>();
    auto found = read_members(*source.reader, schema_, after, limit);
    for (auto& comment : found) {
      if (auto row = snapshot_.item(comment.id)) comment.key = std::move(row->key);
    }
    co_return found;
  } catch (const std::exception& thrown) {
    co_return explain(directory_, thrown);
  }

  Awaitable<Result<std::vector<std::uint64_t>>> word_sums(std::string_view product,
                                                          std::span<const Ulid> ids) override try {
    co_return snapshot_.word_sums(product, ids);
  } catch (const std::exception& thrown) {
    co_return explain(directory_, thrown);
  }

  Result<std::optional<IndexedItem>> item(const Ulid& id) override try {
    auto row = snapshot_.item(id);
    if (!row) return std::optional<IndexedItem>();
    return std::optional(IndexedItem{std::move(row->product), std::move(row->key)});
  } catch (const std::exception& thrown) {
    return explain(directory_, thrown);
  }

  Awaitable<Result<std::vector<std::string>>> flaws(std::string_view product) override try {
    co_return co_await snapshot_.flaws(product);
  } catch (const std::exception& thrown) {
    co_return explain(directory_, thrown);
  }

 private:
  const std::string& directory_;
  Snapshot snapshot_;
  change::Phase phase_;
  Schema schema_;
};

template <class Read>
auto read(const Result<const IndexDatabases*>& databases, Read read)
    -> Result<decltype(read(std::declval<Snapshot&>()))> {
  if (!databases) return databases.error();
  try {
    Snapshot snapshot(**databases);
    return read(snapshot);
  } catch (const std::exception& thrown) {
    return explain((*databases)->directory, thrown);
  }
}

}  // namespace

Result<std::unique_ptr<LmdbIndex>> LmdbIndex::open(const std::string& directory, Access access) {
  std::unique_ptr<LmdbIndex> index(new LmdbIndex(directory, access));
  if (access == Access::read) return index;
  TRY_DONE(index->directory_.databases_if_made());
  return index;
}

LmdbIndex::LmdbIndex(const std::string& directory, Access access) : directory_(directory, access) {
  if (access == Access::write) writer_.emplace();
}

std::unique_ptr<Ranks> LmdbIndex::ranks() {
  return ranks_of(directory_);
}

Result<std::unique_ptr<FacetView>> LmdbIndex::facet_view() {
  TRY(auto databases, directory_.databases());
  try {
    return std::unique_ptr<FacetView>(std::make_unique<LmdbFacets>(*databases));
  } catch (const std::exception& thrown) {
    return explain(directory_.path(), thrown);
  }
}

Awaitable<Result<change::State>> LmdbIndex::state() {
  auto databases = directory_.databases_if_made();
  if (databases && !*databases) co_return change::State();
  co_return read(databases, [](Snapshot& snapshot) { return snapshot.state(); });
}

Awaitable<Result<std::vector<std::string>>> LmdbIndex::products(std::string after,
                                                                std::size_t limit) {
  co_return read(directory_.databases(),
                 [&](Snapshot& snapshot) { return snapshot.products(after, limit); });
}

Awaitable<Result<std::vector<FacetValue>>> LmdbIndex::languages(std::string product) {
  co_return read(directory_.databases(),
                 [&](Snapshot& snapshot) { return snapshot.languages(product); });
}

Awaitable<Result<bool>> LmdbIndex::apply(change::Step step) {
  return write<bool>([step = std::move(step)](IndexEdit& edit) { return edit.apply(step); });
}

Awaitable<Status> LmdbIndex::reset(change::State state) {
  return write<Done>([state = std::move(state)](IndexEdit& edit) {
    edit.reset(state);
    return Done{};
  });
}

Awaitable<Result<bool>> LmdbIndex::change_phase(std::string epoch, change::Phase from,
                                                change::Phase to) {
  return write<bool>([epoch = std::move(epoch), from, to](IndexEdit& edit) {
    return edit.change_phase(epoch, from, to);
  });
}

Awaitable<Status> LmdbIndex::put(std::vector<change::Change> changes) {
  return write<Done>([changes = std::move(changes)](IndexEdit& edit) {
    edit.put(changes);
    return Done{};
  });
}

Awaitable<Result<Schema>> LmdbIndex::declared() {
  auto databases = directory_.databases_if_made();
  if (databases && !*databases) co_return Schema();
  co_return read(databases, [](Snapshot& snapshot) { return snapshot.declared(); });
}

Awaitable<Status> LmdbIndex::declare(Redeclare change) {
  auto work = [change = std::move(change)](IndexEdit& edit) { return edit.declare(change); };
  CO_TRY(auto ended, co_await write<Status>(std::move(work)));
  co_return ended;
}

Awaitable<Result<IndexedWords>> LmdbIndex::words() {
  auto databases = directory_.databases_if_made();
  if (databases && !*databases) co_return IndexedWords();
  co_return read(databases, [](Snapshot& snapshot) { return snapshot.words(); });
}

Awaitable<Status> LmdbIndex::want_words() {
  return write<Done>([](IndexEdit& edit) {
    edit.want_words();
    return Done{};
  });
}

Awaitable<Status> LmdbIndex::drop_words() {
  CO_TRY(auto ended, co_await write<Status>([](IndexEdit& edit) { return edit.drop_words(); }));
  co_return ended;
}

template <class T, class Work>
Awaitable<Result<T>> LmdbIndex::write(Work work) {
  if (!writer_)
    co_return Error{ErrorCode::unavailable, "The page index was opened for reading only."};
  bool full = ++waiting_ > max_waiting;
  QueueSlot slot(&waiting_);
  if (full) {
    co_return Error{ErrorCode::unavailable,
                    "Too many writes to the page index are waiting. Try again in a moment."};
  }
  co_return co_await writer_->run(commit<T>(std::move(work), std::move(slot)));
}

// Runs on the thread of the writer.
template <class T, class Work>
Awaitable<Result<T>> LmdbIndex::commit(Work work, QueueSlot) {
  CO_TRY(auto databases, directory_.databases());
  try {
    lmdb::WriteTransaction txn(*databases->environment);
    IndexEdit edit(*databases, txn);
    T done = work(edit);
    edit.finish();
    txn.commit();
    co_return done;
  } catch (const std::exception& thrown) {
    co_return explain(directory_.path(), thrown);
  }
}

}  // namespace quire::page_index
