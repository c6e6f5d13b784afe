#include "store/embedded/view.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/try.h"
#include "loop/awaitable.h"
#include "model/document.h"
#include "store/embedded/documents.h"

namespace quire::embedded {
namespace {

// `passes`: keys that are no ids are passed over.
template <class MakeEntry>
Slice walk(lmdb::Cursor& cursor, std::string_view prefix, Order order,
           const std::optional<Ulid>& after, std::size_t limit, bool passes, MakeEntry make_entry) {
  Slice slice{{}, false};
  slice.entries.reserve(limit);
  auto step = order == Order::newest_first ? MDB_PREV : MDB_NEXT;
  bool there = start_at(cursor, prefix, order, after);
  for (; there && cursor.key().starts_with(prefix); there = cursor.move(step)) {
    if (slice.entries.size() == limit) return slice;
    if (cursor.key().size() != prefix.size() + Ulid::size) {
      if (!passes) throw lmdb::Damaged("a key in the store is damaged: run quire verify");
      continue;
    }
    slice.entries.push_back(make_entry(cursor.key(), cursor.value()));
  }
  slice.end = true;
  return slice;
}

// Walks again where it meets a damaged page, and passes over such pages then.
template <class MakeEntry>
Slice walk_past_damage(const lmdb::Transaction& txn, MDB_dbi database, std::string_view prefix,
                       Order order, const std::optional<Ulid>& after, std::size_t limit,
                       MakeEntry make_entry) {
  lmdb::Cursor cursor(txn, database);
  try {
    return walk(cursor, prefix, order, after, limit, false, make_entry);
  } catch (const lmdb::Damaged&) {
    cursor.pass_damage();
    return walk(cursor, prefix, order, after, limit, true, make_entry);
  }
}

// Moves to an entry that is few entries away from the present one. False: it is not there.
bool step_to(lmdb::Cursor& cursor, std::string_view key) {
  constexpr int few = 4;
  auto step = cursor.key() < key ? MDB_NEXT : MDB_PREV;
  for (int steps = 0; steps < few && cursor.move(step); ++steps) {
    if (cursor.key() == key) return true;
  }
  return false;
}

// Another one where questions may have other answers: a comment of one product can bring a stemmer
// by which words are looked for in all others.
std::uint64_t number_of(const word_index::Contents& words) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // Fibonacci hashing
  return (std::uint64_t{words.segments.stemmers} << 8 | static_cast<std::uint8_t>(words.state)) *
         factor;
}

// Absent: the row is damaged.
std::optional<ProductRow> read_product(const Databases& db, std::string_view name,
                                       std::string_view bytes) {
  auto row = lmdb::unsealed(db.products.seed, name, bytes);
  try {
    if (row) return decode_product(*row);
  } catch (const std::runtime_error&) {
  }
  db.damage.meet("the row of a product");
  return {};
}

}  // namespace

// No id is all ones, because its time would lie beyond the year 9999; so all ones stand for the end
// of the list.
bool start_at(lmdb::Cursor& cursor, std::string_view prefix, Order order,
              const std::optional<Ulid>& after) {
  std::array<char, 32> key;
  std::copy(prefix.begin(), prefix.end(), key.begin());
  char* id = key.data() + prefix.size();
  std::memset(id, order == Order::newest_first ? 0xFF : 0, Ulid::size);
  if (after) std::memcpy(id, after->bytes.data(), Ulid::size);
  std::string_view from(key.data(), prefix.size() + Ulid::size);

  bool there = cursor.seek(from, MDB_SET_RANGE);
  if (order == Order::newest_first) return cursor.move(there ? MDB_PREV : MDB_LAST);
  return there && (!after || cursor.key() != from || cursor.move(MDB_NEXT));
}

LmdbView::LmdbView(const Databases& databases, bitmap_index::KeptTotals& totals)
    : db_(databases),
      totals_(totals),
      txn_(*databases.environment),
      comments_(txn_.get(), databases.comments) {}

Awaitable<Result<Counts>> LmdbView::counts(std::string_view name) {
  CO_TRY(auto row, product(name));
  co_return row ? row->counts() : Counts{};
}

Awaitable<Result<std::shared_ptr<const Schema>>> LmdbView::schema() {
  try {
    auto stored = db_.schemas.get(txn_.get(), db_);
    co_return std::shared_ptr<const Schema>(stored, &stored->schema);
  } catch (const std::runtime_error&) {
  }
  db_.damage.meet("the row of a facet");
  co_return Error{ErrorCode::damaged,
                  "The facets of the store are damaged: run quire verify --repair."};
}

std::optional<Generation> LmdbView::generation(std::string_view name) {
  if (name.empty()) return Generation{.store = txn_.number(), .commit = txn_.number()};
  auto row = product(name);
  if (!row) return {};
  try {
    auto words = word_index::read_contents(db_.words, txn_.get());
    return Generation{.product = *row ? (*row)->generation : 0,
                      .store = db_.schemas.get(txn_.get(), db_)->states ^ number_of(words),
                      .commit = txn_.number()};
  } catch (const std::runtime_error&) {
    return {};
  }
}

Result<std::optional<bitmap_index::Source>> LmdbView::bitmaps(std::string_view name) {
  if (db_.keyless) {
    return Error{ErrorCode::damaged,
                 "The index of the store is damaged: run quire verify --repair."};
  }
  TRY(auto row, product(name));
  constexpr std::uint64_t few = 1024;  // so many are counted at once, and their totals not kept
  auto comments = row ? total(row->ratings()) : 0;
  bitmap_index::Source source{.hash_key = db_.index.hash_key,
                              .kept = comments > few ? &totals_ : nullptr};
  if (comments > 0) {
    source.reader =
        std::make_unique<bitmap_index::Reader>(txn_.get(), db_.index, row->number, &db_.words);
    source.generation = row->generation;
  }
  return std::optional(std::move(source));
}

Result<word_index::State> LmdbView::words() try {
  return word_index::read_contents(db_.words, txn_.get()).state;
} catch (const lmdb::Damaged&) {
  db_.damage.meet("the row of the words");
  return Error{ErrorCode::damaged,
               "The index of words of the store is damaged: run quire verify --repair."};
}

Awaitable<Result<Slice>> LmdbView::comments(std::string_view name, Order order,
                                            std::optional<Ulid> after, std::size_t limit) {
  CO_TRY(auto row, product(name));
  if (!row) co_return Slice{{}, true};
  auto prefix = number_value(row->number);
  co_return walk_past_damage(txn_, db_.comments, prefix, order, after, limit,
                             [&](std::string_view key, std::string_view value) {
                               Ulid id = id_at_end(key);
                               auto document = lmdb::unsealed(db_.comments.seed, key, value);
                               return Entry{id, document ? *document : placeholder(id)};
                             });
}

Awaitable<Status> LmdbView::documents(std::string_view name, std::span<Entry> entries) {
  CO_TRY(auto row, product(name));
  if (!row) co_return Done{};
  bool there = false, near = true;  // near: steps are cheaper than seeking
  for (Entry& entry : entries) {
    if (!entry.document.empty()) continue;
    auto key = comment_key(row->number, entry.id);
    try {
      if (there && near) there = near = step_to(comments_, key);
      if (!there || !near) there = comments_.seek(key, MDB_SET_KEY);
    } catch (const lmdb::Damaged&) {
      there = false;  // a page is damaged: it may have the comment
    }
    std::optional<std::string_view> document;
    if (there) document = lmdb::unsealed(db_.comments.seed, key, comments_.value());
    entry.document = document ? *document : placeholder(entry.id);
  }
  co_return Done{};
}

Awaitable<Result<std::string_view>> LmdbView::get(const Ulid& id) {
  std::optional<ProductNumber> product;
  try {
    product = find_product(txn_.get(), db_, id);
  } catch (const lmdb::Damaged&) {
    db_.damage.meet("comment " + id.text());
    co_return damaged_comment(id);
  }
  if (!product) co_return no_such_comment();
  auto document = find_document(txn_.get(), db_, *product, id);
  if (!document) {
    db_.damage.meet("comment " + id.text());
    co_return damaged_comment(id);
  }
  co_return *document;
}

Awaitable<Result<std::vector<ProductTotal>>> LmdbView::products(std::string_view after,
                                                                std::size_t limit) {
  std::vector<ProductTotal> products;
  lmdb::Cursor cursor(txn_.get(), db_.products);
  bool there = cursor.after(after);
  for (; there && products.size() < limit; there = cursor.move(MDB_NEXT)) {
    if (turn_is_over()) co_await next_turn();
    auto row = read_product(db_, cursor.key(), cursor.value());
    RatingCounts ratings = row ? row->ratings() : RatingCounts{};
    auto comments = total(ratings);
    if (comments > 0 || txn_.find(db_.facts.dbi, cursor.key()))
      products.push_back({std::string(cursor.key()), comments, ratings});
  }
  co_return products;
}

Awaitable<Result<std::vector<std::uint64_t>>> LmdbView::newest(
    std::span<const std::string> products) {
  std::vector<std::uint64_t> times;
  for (const auto& name : products) {
    if (turn_is_over()) co_await next_turn();
    auto row = product(name);
    auto prefix = number_value(row && *row ? (*row)->number : 0);
    bool there = row && *row && start_at(comments_, prefix, Order::newest_first, {}) &&
                 comments_.key().starts_with(prefix);
    times.push_back(there ? id_at_end(comments_.key()).ms() : 0);
  }
  co_return times;
}

Awaitable<Result<std::vector<Leader>>> LmdbView::leaders(Leaders by, FacetValue language,
                                                         std::size_t limit) {
  std::vector<Leader> leaders;
  auto kind = by == Leaders::average ? LeaderKind::average : LeaderKind::five_star;
  auto prefix = leader_prefix(kind, language);
  lmdb::Cursor cursor(txn_.get(), db_.leaders);
  bool there = cursor.seek(prefix, MDB_SET_RANGE);
  for (; there && leaders.size() < limit && cursor.key().starts_with(prefix);
       there = cursor.move(MDB_NEXT)) {
    std::string name(leader_product(cursor.key()));
    auto found = product(name);
    const ProductRow* row = found ? *found : nullptr;
    const LanguageRow* one = row && language != any ? row->find(language) : nullptr;
    if (!row || (language != any && !one)) continue;  // quire verify reports it
    leaders.push_back({std::move(name), one ? one->comments : row->ratings()});
  }
  co_return leaders;
}

Awaitable<Result<Slice>> LmdbView::scan(std::optional<Ulid> after, std::size_t limit) {
  co_return walk_past_damage(
      txn_, db_.ids, {}, Order::oldest_first, after, limit,
      [&](std::string_view key, std::string_view value) { return scanned(key, value); });
}

Awaitable<Result<std::optional<std::uint64_t>>> LmdbView::counted(std::string_view name) {
  if (name.empty()) co_return std::optional(counted_comments(db_, txn_.get()));
  CO_TRY(auto row, product(name));
  co_return std::optional<std::uint64_t>(row ? total(row->ratings()) : 0);
}

Result<const ProductRow*> LmdbView::product(std::string_view name) {
  if (!row_ || name_ != name) {
    name_ = name;
    row_.reset();
    bool damaged = false;
    try {
      auto bytes = txn_.find(db_.products.dbi, name);
      if (bytes)
        row_ = read_product(db_, name, *bytes);
      else
        lmdb::check_missing(txn_, db_.products, name);
      damaged = bytes && !row_;
    } catch (const lmdb::Damaged&) {
      damaged = true;
    }
    if (damaged) {
      return Error{ErrorCode::damaged,
                   "The counts of this product in the store are damaged: run quire verify."};
    }
  }
  return row_ ? &*row_ : nullptr;
}

// The document that replaces a damaged or missing comment.
std::string_view LmdbView::placeholder(const Ulid& id) {
  db_.damage.meet("comment " + id.text());
  return damaged_document();
}

void LmdbView::leave_out(std::string_view what) {
  db_.damage.meet(what);
  ++left_out_;
}

Entry LmdbView::scanned(std::string_view key, std::string_view value) {
  Ulid id = id_at_end(key);
  auto product = lmdb::unsealed(db_.ids.seed, key, value);
  auto document = product && product->size() == 4
                      ? find_document(txn_.get(), db_, get_u32(product->data()), id)
                      : std::nullopt;
  return {id, document ? *document : placeholder(id)};
}

}  // namespace quire::embedded
