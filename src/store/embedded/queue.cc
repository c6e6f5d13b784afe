// Reads comments of a status, or of all, over all products.
#include <algorithm>

#include "base/try.h"
#include "loop/awaitable.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/view.h"
#include "store/wants.h"

namespace quire::embedded {
namespace {

using Kind = QueueQuestion::Kind;

// A page passes over this many comments at most, and a queue of more is not counted under a filter.
constexpr std::size_t max_passed_over = 10'000;

// Where words are looked for, each so many bytes of a document count as one more: a page takes up
// to 140 ms to find the words of 2 MB.
constexpr std::size_t bytes_of_words = 200;

// The comment that waits longest is looked for among this many that were written first.
constexpr std::size_t max_waiting = 1000;

// A database whose keys, those under the prefix, end with ids.
struct IdSource {
  MDB_dbi database;
  std::string prefix = {};
};

// The ids of some databases in one order, which is that of time.
class IdWalk {
 public:
  // Begins strictly after `from`.
  IdWalk(const lmdb::Transaction& txn, const std::vector<IdSource>& sources, Order order,
         const std::optional<Ulid>& from)
      : order_(order) {
    for (const auto& source : sources) {
      auto& place = places_.emplace_back(source, lmdb::Cursor(txn, source.database));
      place.cursor.pass_damage();
      place.there = start_at(place.cursor, source.prefix, order, from);
      settle(place);
    }
    choose();
  }

  bool there() const { return present_ != nullptr; }
  // Of the present entry.
  Ulid id() const { return id_at_end(present_->cursor.key()); }
  MDB_dbi database() const { return present_->source.database; }
  const lmdb::Cursor& cursor() const { return present_->cursor; }

  void next() {
    step(*present_);
    settle(*present_);
    choose();
  }

  // How much damage was passed over.
  std::uint64_t passed() const {
    std::uint64_t all = 0;
    for (const auto& place : places_) all += place.cursor.passed();
    return all;
  }

 private:
  struct Place {
    IdSource source;
    lmdb::Cursor cursor;
    bool there = false;

    Place(IdSource source, lmdb::Cursor cursor)
        : source(std::move(source)), cursor(std::move(cursor)) {}
  };

  void step(Place& place) {
    place.there = place.cursor.move(order_ == Order::newest_first ? MDB_PREV : MDB_NEXT);
  }
  // Passes over damaged keys.
  void settle(Place& place) {
    const auto& prefix = place.source.prefix;
    auto key = [&] { return place.cursor.key(); };
    while (place.there && key().starts_with(prefix) && key().size() != prefix.size() + Ulid::size)
      step(place);
    place.there = place.there && key().starts_with(prefix);
  }

  void choose() {
    present_ = nullptr;
    for (auto& place : places_) {
      if (!place.there) continue;
      auto id = id_at_end(place.cursor.key());
      if (!present_ || precedes(id, this->id(), order_)) present_ = &place;
    }
  }

  Order order_;
  std::vector<Place> places_;
  Place* present_ = nullptr;  // into places_, which grows no more
};

// The databases of the question's kind. `product`: of a product, the rows of its published
// comments, if it has any.
std::vector<IdSource> sources_of(const Databases& db, const QueueQuestion& question,
                                 const ProductRow* product) {
  std::vector<IdSource> sources;
  bool any = question.kind == Kind::any, all_products = question.product.empty();
  if (question.kind == Kind::published || any) {
    if (all_products) sources.push_back({db.ids});
    if (product) sources.push_back({db.comments, std::string(number_value(product->number))});
  }
  if (question.kind == Kind::pending || any) sources.push_back({db.pending});
  if (question.kind == Kind::rejected || any) sources.push_back({db.rejected});
  if (question.kind == Kind::reported) sources.push_back({db.reported});
  return sources;
}

// Tells which comments are of a question.
class Sieve {
 public:
  // All must outlive this.
  Sieve(const Databases& db, const lmdb::Transaction& txn, const QueueQuestion& question)
      : db_(db), txn_(txn), question_(question) {
    for (const auto& language : question.languages)
      languages_.push_back(list_facets[language_facet].parse(language).value_or(any));
  }

  // Whether the comment on which the walk stands is one. Absent: it is damaged.
  std::optional<bool> passes(const IdWalk& walk) try {
    cost_ = 1;
    if (!question_.filtered()) return true;
    auto document = document_at(walk);
    if (!document) return {};
    if (!may_pass(document_cell(*document))) return false;
    if (question_.sought) cost_ += document->size() / bytes_of_words;
    auto comment = decode_document(*document);
    if (!comment) return {};
    return question_.matches(*comment);
  } catch (const lmdb::Damaged&) {
    return {};
  }
  // As how many comments the last one counts.
  std::size_t cost() const { return cost_; }

 private:
  // By language and rating, which the header has: most comments are passed over without decoding.
  bool may_pass(const Cell& cell) const {
    return wants(languages_, cell[language_facet]) &&
           wants(question_.ratings, static_cast<int>(cell[rating_facet]));
  }

  std::optional<std::string_view> document_at(const IdWalk& walk) const {
    auto key = walk.cursor().key(), value = walk.cursor().value();
    for (const auto* documents : {&db_.comments, &db_.pending, &db_.rejected})
      if (walk.database() == documents->dbi) return lmdb::unsealed(documents->seed, key, value);
    auto product = walk.database() == db_.ids.dbi ? lmdb::unsealed(db_.ids.seed, key, value)
                                                  : txn_.find(db_.ids, key);
    if (!product || product->size() != 4) return {};
    return find_document(txn_, db_, get_u32(product->data()), walk.id());
  }

  const Databases& db_;
  const lmdb::Transaction& txn_;
  const QueueQuestion& question_;
  std::vector<FacetValue> languages_;
  std::size_t cost_ = 0;
};

// How many comments are of the question; under a filter on the first page alone, and nothing of
// published ones, of a long queue, or where words are looked for.
Awaitable<std::optional<std::uint64_t>> total_of(const lmdb::Transaction& txn,
                                                 const QueueQuestion& question,
                                                 const std::vector<IdSource>& sources,
                                                 Sieve& sieve) {
  std::uint64_t all = 0;
  for (const auto& source : sources) all += txn.entries(source.database);
  if (!question.filtered()) co_return all;
  bool of_queue = question.kind != Kind::published && question.kind != Kind::any;
  if (!of_queue || question.from() || question.sought || all > max_passed_over)
    co_return std::nullopt;
  std::uint64_t count = 0;
  for (IdWalk walk(txn, sources, Order::oldest_first, {}); walk.there(); walk.next()) {
    if (turn_is_over()) co_await next_turn();
    count += sieve.passes(walk).value_or(false);
  }
  co_return count;
}

// Puts a cursor that stands on an entry on the first one from `id` on.
bool go_on(lmdb::Cursor& cursor, const Ulid& id) {
  return cursor.key() >= id.view() || cursor.seek(id.view(), MDB_SET_RANGE);
}

}  // namespace

Awaitable<Result<Comment>> LmdbView::find(const Ulid& id) {
  auto document = co_await get(id);
  if (!document) {
    auto held =
        document.error().code == ErrorCode::not_found ? find_held(txn_, db_, id) : std::nullopt;
    if (held) co_return std::move(*held);
    co_return document.error();
  }
  auto comment = decode_document(*document);
  if (!comment) co_return damaged_comment(id);
  try {
    if (auto row = txn_.find(db_.moderation, id.view()))
      comment->moderation = decode_moderation(*row);
  } catch (const lmdb::Damaged&) {
    leave_out("the decision on comment " + id.text());
  }
  co_return std::move(*comment);
}

Awaitable<Result<Queued>> LmdbView::queued(const Ulid& id) {
  auto comment = co_await find(id);
  if (!comment) co_return comment.error();
  Queued queued{std::move(*comment), {}};
  try {
    queued.reports = reports_of(txn_, db_, id);
  } catch (const lmdb::Damaged&) {
    leave_out("a report on comment " + id.text());
  }
  co_return queued;
}

Awaitable<Result<QueuePage>> LmdbView::queue(QueueQuestion question) {
  const ProductRow* of_product = nullptr;
  if (!question.product.empty()) {
    CO_TRY(of_product, product(question.product));
  }
  const auto sources = sources_of(db_, question, of_product);
  Sieve sieve(db_, txn_, question);
  const auto direction = question.direction();
  QueuePage page;
  page.total = co_await total_of(txn_, question, sources, sieve);
  IdWalk walk(txn_, sources, direction, question.start());
  std::size_t passed_over = 0;
  std::optional<Ulid> first, last, further, back;
  for (; walk.there() && question.in_time(walk.id()); walk.next()) {
    if (turn_is_over()) co_await next_turn();
    auto id = walk.id();
    if (!first) first = id;
    auto passes = sieve.passes(walk);
    bool full = page.rows.size() == question.limit;
    bool shows = passes.value_or(false);
    if (shows ? full : passed_over >= max_passed_over) {
      further = shows ? page.rows.back().comment.id : last;
      page.ended_early = !full;
      break;
    }
    last = id;
    if (!shows) passed_over += sieve.cost();
    if (passes && !shows) continue;
    auto row = co_await queued(id);
    if (row) {
      page.rows.push_back(std::move(*row));
    } else {
      leave_out("comment " + id.text());
      ++page.damaged;
    }
  }
  left_out_ += walk.passed();
  if (question.from() && first) {
    IdWalk beside(txn_, sources, opposite(direction), first);
    if (beside.there() && question.in_time(beside.id())) back = first;
  }
  page.arrange(question, further, back);
  co_return page;
}

// Rows of decisions and of reports are in the order of ids, as the entries are.
Awaitable<Result<std::vector<Queued>>> LmdbView::moderated(std::string_view,
                                                           std::span<const Entry> entries) {
  std::vector<Queued> out;
  lmdb::Cursor decisions(txn_, db_.moderation.dbi), reports(txn_, db_.reports.dbi);
  decisions.pass_damage();
  reports.pass_damage();
  auto first = entries.empty() ? std::string_view() : entries.front().id.view();
  bool decided = decisions.seek(first, MDB_SET_RANGE),
       reported = reports.seek(first, MDB_SET_RANGE);
  for (const auto& entry : entries) {
    if (turn_is_over()) co_await next_turn();
    decided = decided && go_on(decisions, entry.id);
    reported = reported && go_on(reports, entry.id);
    if (!decided && !reported) break;
    bool known = (decided && decisions.key() == entry.id.view()) ||
                 (reported && reports.key().starts_with(entry.id.view()));
    if (!known) continue;
    auto row = co_await queued(entry.id);
    if (!row) continue;  // it is damaged
    bool answered = !txn_.find(db_.reported, entry.id.view());
    for (auto& report : row->reports) report.answered = answered;
    out.push_back(std::move(*row));
  }
  left_out_ += decisions.passed() + reports.passed();
  co_return out;
}

// A comment waits at most since it was written. So behind the one that waits longest, the first
// that was written later ends the search.
Awaitable<Result<std::optional<StatusTotals>>> LmdbView::status_totals() {
  StatusTotals totals{
      {counted_comments(db_, txn_), txn_.entries(db_.pending.dbi), txn_.entries(db_.rejected.dbi)}};
  auto& since = totals.waits_since_ms;
  lmdb::Cursor cursor(txn_, db_.pending);
  cursor.pass_damage();
  std::size_t looked_at = 0;
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    auto written = id_at_end(cursor.key()).ms();
    if ((since > 0 && written >= since) || looked_at++ == max_waiting) break;
    auto comment = read_held(db_.pending, cursor, CommentStatus::pending);
    if (!comment) continue;
    auto waits = std::max(comment->moderation.held_ms, written);
    if (since == 0 || waits < since) since = waits;
  }
  co_return std::optional(totals);
}

}  // namespace quire::embedded
