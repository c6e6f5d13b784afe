// Products that have moved. A row in `meta` says so, and is written first: from then on what comes
// for the product goes to its successor, and so does a comment of it that changes. The comments
// that were there before follow in small transactions, each by the way of a comment that is removed
// and of one that comes, so index, words, counts and events follow, too.
#include <algorithm>
#include <functional>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "loop/awaitable.h"
#include "model/document.h"
#include "store/embedded/documents.h"
#include "store/embedded/edit.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"

namespace quire::embedded {
namespace {

constexpr std::size_t moved_at_once = 200;  // comments of one transaction
constexpr std::size_t moved_in_a_call = 20'000;

// Whether the comments of both fit into the row of one product.
bool fit_together(ProductRow all, const ProductRow& more) {
  return std::all_of(more.languages.begin(), more.languages.end(), [&](const auto& each) {
    if (each.comments == RatingCounts{}) return true;
    bool has_room = all.has_room(each.language);
    all.count({each.language, 1})++;
    return has_room;
  });
}

// Comments of a product that is moving.
struct Found {
  std::vector<Ulid> ids = {};
  std::string last = {};      // the key of the last one that was looked at, of published ones
  std::uint64_t damaged = 0;  // among these
};

// Some published ones, behind a key.
Found published_of(const Databases& databases, const std::string& product,
                   const std::string& behind) {
  lmdb::ReadTransaction txn(*databases.environment);
  Found found;
  auto row = txn.find(databases.products, product);
  if (!row) return found;
  auto number = decode_product(*row).number;
  for (auto& key : lmdb::keys_under(txn, databases.comments, std::string(number_value(number)),
                                    moved_at_once, behind)) {
    found.last = std::move(key);
    auto document = txn.find(databases.comments.dbi, found.last);
    bool whole = found.last.size() == Key<20>::size && document &&
                 lmdb::unsealed(databases.comments.seed, found.last, *document) &&
                 find_comment(txn, databases, id_at_end(found.last));
    if (whole)
      found.ids.push_back(id_at_end(found.last));
    else
      ++found.damaged;
  }
  return found;
}

// At most `limit` that are not published, and one more.
Awaitable<Found> held_of(const Databases& databases, const std::string& product,
                         std::size_t limit) {
  lmdb::ReadTransaction txn(*databases.environment);
  Found found;
  for (auto status : {CommentStatus::pending, CommentStatus::rejected}) {
    const auto& database = held_in(databases, status);
    lmdb::Cursor cursor(txn, database);
    cursor.pass_damage();
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      if (turn_is_over()) co_await next_turn();
      auto comment = read_held(database, cursor, status);
      if (comment && comment->product == product) found.ids.push_back(comment->id);
      if (found.ids.size() > limit) co_return found;
    }
  }
  co_return found;
}

std::function<Result<std::size_t>(Edit&)> bringing(std::vector<Ulid> ids) {
  return [ids = std::move(ids)](Edit& edit) -> Result<std::size_t> { return edit.bring(ids); };
}

}  // namespace

std::optional<std::string> successor_of(const Databases& databases, const lmdb::Transaction& txn,
                                        std::string_view product) {
  auto row = txn.find(databases.meta, successor_key(product));
  return row ? std::optional<std::string>(*row) : std::nullopt;
}

std::vector<std::string> former_products(const Databases& databases, const lmdb::Transaction& txn,
                                         std::string_view product) {
  std::vector<std::string> former;
  for (const auto& key : lmdb::keys_under(txn, databases.meta, successor_prefix)) {
    if (txn.find(databases.meta, key) == product)
      former.push_back(key.substr(successor_prefix.size()));
  }
  return former;
}

std::optional<std::string> LmdbStore::successor(std::string_view product) try {
  lmdb::ReadTransaction txn(*databases_->environment);
  return successor_of(*databases_, txn, product);
} catch (const lmdb::Damaged&) {
  databases_->damage.meet("the row of a product that has moved");
  return {};
} catch (const lmdb::Failure&) {
  return {};
}

// No successor has one itself: those of `from` get the new one. So one look finds it.
Moved Edit::mark_moved(const std::string& from, const std::string& to) {
  auto target = successor(to).value_or(to), before = successor(from).value_or(target);
  if (target == from)
    return {.refused = "Product " + to + " has moved to product " + from +
                       ", so they would lead to each other. Write to " + from +
                       ": it has the comments of both."};
  if (before != target)
    return {.refused = "Product " + from + " has moved to product " + before +
                       " already. Move that one: its comments are there."};
  if (successor(from)) return {};
  if (!fit_together(product(target).second.row, product(from).second.row))
    return {.refused =
                "Together the products have comments in more languages than one product "
                "may have. Remove those of some languages first."};
  for (const auto& key : lmdb::keys_under(txn_, db_.meta, successor_prefix))
    if (txn_.find(db_.meta, key) == from) txn_.put(db_.meta, key, target);
  txn_.put(db_.meta, successor_key(from), target);
  if (txn_.find(db_.facts.dbi, from)) txn_.remove(db_.facts.dbi, from);
  return {};
}

std::size_t Edit::bring(const std::vector<Ulid>& ids) {
  std::size_t moved = 0;
  for (const auto& id : ids) {
    auto found = find(id);
    auto to = found ? successor(found->comment.product) : std::nullopt;
    if (!to) continue;
    move(*found, *to);
    ++moved;
  }
  return moved;
}

// Readers of the log who may see the former product alone learn that the comment is gone.
void Edit::move(FoundComment& found, const std::string& to) {
  auto comment = found.comment;
  comment.product = to;
  auto document = encode_document(comment);
  bool reported = txn_.find(db_.reported, comment.id.view()).has_value();
  auto revised = revision(found.product, comment.id);
  events_.add(EventType::removed, found.comment);
  events_.add(EventType::changed, comment);
  forget_customer(found.comment);
  take(found);
  put(comment, document);
  put_customer(comment);
  if (reported) txn_.put(db_.reported, comment.id.view(), {});
  auto number = comment.published() ? product(to).second.row.number : 0;
  if (revised) keep_revision(number, *revised);
  found = {number, std::move(document), std::move(comment)};
}

// A product whose row is damaged has not moved any more.
void Edit::repair_successors(Rebuilt& rebuilt) {
  std::vector<std::string> bad;
  for (const auto& key : lmdb::keys_under(txn_, db_.meta, successor_prefix)) {
    auto bytes = txn_.find(db_.meta.dbi, key).value();
    if (!lmdb::unsealed(db_.meta.seed, key, bytes)) bad.push_back(key);
  }
  for (const auto& key : bad) txn_.remove(db_.meta, key);
  rebuilt.removed += bad.size();
}

// A comment that changes its status meanwhile moves in that transaction, so neither pass misses it.
Awaitable<Result<Moved>> LmdbStore::move(std::string from, std::string to) {
  auto mark = [from, to](Edit& edit) -> Result<Moved> { return edit.mark_moved(from, to); };
  CO_TRY(auto moved, co_await write<Moved>(std::move(mark)));
  if (!moved.refused.empty()) co_return moved;
  auto brought = co_await bring_some(from, moved);
  if (!brought) moved.failed = brought.error();
  co_return moved;
}

Awaitable<Status> LmdbStore::bring_some(std::string from, Moved& moved) {
  std::uint64_t damaged = 0;
  for (std::string last; moved.comments < moved_in_a_call;) {
    auto found = published_of(*databases_, from, last);
    if (found.last.empty()) break;
    last = found.last;
    damaged += found.damaged;
    auto bring = bringing(std::move(found.ids));
    CO_TRY(auto part, co_await write<std::size_t>(std::move(bring)));
    moved.comments += part;
  }
  auto left = moved_in_a_call - std::min(moved_in_a_call, moved.comments);
  auto held = co_await held_of(*databases_, from, left);
  for (std::size_t at = 0; at < std::min(held.ids.size(), left); at += moved_at_once) {
    auto end = std::min({at + moved_at_once, held.ids.size(), left});
    auto ids = held.ids.begin();
    auto bring =
        bringing({ids + static_cast<std::ptrdiff_t>(at), ids + static_cast<std::ptrdiff_t>(end)});
    CO_TRY(auto part, co_await write<std::size_t>(std::move(bring)));
    moved.comments += part;
  }
  auto rest = published_of(*databases_, from, "");
  moved.more = held.ids.size() > left || !rest.ids.empty();
  if (moved.more || damaged + rest.damaged == 0) co_return Done{};
  co_return Error{ErrorCode::damaged,
                  "Comments of product " + from +
                      " are damaged, and stay there: run quire verify --repair, then move it "
                      "again."};
}

}  // namespace quire::embedded
