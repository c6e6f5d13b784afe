// Reads a customer's own comments, and erases what a customer left.
#include <algorithm>

#include "loop/awaitable.h"
#include "store/embedded/documents.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

constexpr std::ptrdiff_t erased_at_once = 100;  // rows of one transaction of an erasure

// Puts the cursor on the customer's newest comment, or the newest before `after`. Whether there is
// one. No id is all ones.
bool start(lmdb::Cursor& cursor, const CustomerHash& customer, const std::optional<Ulid>& after) {
  Ulid end;
  end.bytes.fill(0xff);
  bool there = cursor.seek(customer_key(customer, "", after.value_or(end)), MDB_SET_RANGE);
  return cursor.move(there ? MDB_PREV : MDB_LAST);
}

void add(Erased& sum, const Erased& part) {
  sum.comments += part.comments;
  sum.emptied += part.emptied;
  sum.reports += part.reports;
  sum.answers += part.answers;
  sum.tickets += part.tickets;
  sum.votes += part.votes;
  sum.told += part.told;
}

// The next keys that begin so, in the store as it is now.
Result<std::vector<std::string>> keys_now(const Databases& databases, MDB_dbi database,
                                          std::string_view prefix, std::string_view after) try {
  lmdb::ReadTransaction txn(*databases.environment);
  return lmdb::keys_under(txn.get(), database, prefix, erased_at_once, after);
} catch (const lmdb::Failure& failure) {
  return explain(failure);
} catch (const lmdb::Damaged& damaged) {
  return Error{ErrorCode::damaged, damaged.what()};
}

struct ReportKeys {
  std::vector<std::string> keys = {};
  std::uint64_t passed = 0;  // damaged pages and entries
};

// The keys of the reports that the customer made.
Awaitable<ReportKeys> keys_of_reports(const lmdb::Transaction& txn, const Tables& tables,
                                      CustomerHash customer) {
  std::vector<std::string> keys;
  auto person = customer.view().substr(0, std::tuple_size_v<decltype(Report::person)>);
  lmdb::Cursor cursor(txn, tables.reports.dbi);
  cursor.pass_damage();
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    if (cursor.key().ends_with(person)) keys.emplace_back(cursor.key());
    if (turn_is_over()) co_await next_turn();
  }
  co_return ReportKeys{std::move(keys), cursor.passed()};
}

// The same, of the store as it is now.
Awaitable<ReportKeys> keys_of_reports(const Databases& databases, CustomerHash customer) {
  lmdb::ReadTransaction txn(*databases.environment);
  co_return co_await keys_of_reports(txn, databases, customer);
}

}  // namespace

Awaitable<Result<OwnComments>> LmdbView::written_by(CustomerHash customer,
                                                    std::optional<Ulid> after, std::size_t limit) {
  OwnComments own;
  auto left_out = left_out_;
  lmdb::Cursor cursor(txn_, db_.customers);
  cursor.pass_damage();
  std::size_t looked_at = 0;
  std::optional<Ulid> last;
  auto prefix = customer_prefix(customer, "");
  bool there = start(cursor, customer, after);
  for (; there && cursor.key().starts_with(prefix); there = cursor.move(MDB_PREV)) {
    if (looked_at++ == limit) {
      own.next = last;
      break;
    }
    if (turn_is_over()) co_await next_turn();
    last = id_at_end(cursor.key());
    auto comment = co_await find(*last);
    bool whole = comment && comment->customer == customer;
    if (whole)
      own.comments.push_back(std::move(*comment));
    else
      leave_out("comment " + last->text());
  }
  left_out_ += cursor.passed();
  own.damaged = left_out_ - left_out;
  co_return own;
}

Awaitable<Result<std::optional<Ulid>>> LmdbView::first_of(CustomerHash customer,
                                                          std::string product) {
  co_return first_comment(db_, txn_, customer, product);
}

Awaitable<Result<std::optional<Ulid>>> LmdbView::made_by(CustomerHash customer, TicketId ticket) {
  auto key = ticket_key(customer, ticket);
  auto bytes = txn_.find(db_.tickets.dbi, key);
  if (!bytes) co_return std::optional<Ulid>();
  auto row = lmdb::unsealed(db_.tickets.seed, key, *bytes);
  auto used = row ? decode_ticket(*row) : std::nullopt;
  if (!used)
    co_return Error{ErrorCode::damaged, "A used ticket is damaged: run quire verify --repair."};
  co_return used->id;
}

Awaitable<Result<bool>> LmdbView::has_published(CustomerHash customer) {
  lmdb::Cursor cursor(txn_, db_.customers);
  cursor.pass_damage();
  auto prefix = customer_prefix(customer, "");
  bool there = start(cursor, customer, {});
  for (; there && cursor.key().starts_with(prefix); there = cursor.move(MDB_PREV)) {
    if (turn_is_over()) co_await next_turn();
    if (txn_.find(db_.ids.dbi, id_at_end(cursor.key()).view())) co_return true;
  }
  co_return false;
}

Awaitable<Result<std::vector<ReportRow>>> LmdbView::reports_by(CustomerHash customer) {
  std::vector<ReportRow> rows;
  auto [keys, passed] = co_await keys_of_reports(txn_, db_, customer);
  left_out_ += passed;
  for (const auto& key : keys) {
    auto report = read_report(db_, key, txn_.find(db_.reports.dbi, key).value());
    if (report)
      rows.push_back({report_comment(key), std::move(*report)});
    else
      leave_out("a report");
  }
  co_return rows;
}

Awaitable<Result<std::vector<Ulid>>> LmdbView::removed() {
  constexpr std::size_t at_once = 1000;
  std::vector<Ulid> ids;
  lmdb::Cursor cursor(txn_, db_.removed);
  cursor.pass_damage();
  for (bool there = cursor.after(removed_); there && ids.size() < at_once;
       there = cursor.move(MDB_NEXT)) {
    removed_ = cursor.key();
    bool whole = removed_.size() == Ulid::size &&
                 lmdb::unsealed(db_.removed.seed, cursor.key(), cursor.value());
    if (whole)
      ids.push_back(id_at_end(removed_));
    else
      leave_out("the id of a removed comment");
  }
  left_out_ += cursor.passed();
  co_return ids;
}

Awaitable<Result<std::vector<VoteRow>>> LmdbView::votes_by(CustomerHash customer) {
  std::vector<VoteRow> rows;
  lmdb::Cursor cursor(txn_, db_.voters);
  cursor.pass_damage();
  bool there = cursor.seek(customer.view(), MDB_SET_RANGE);
  for (; there && cursor.key().starts_with(customer.view()); there = cursor.move(MDB_NEXT)) {
    if (turn_is_over()) co_await next_turn();
    auto id = id_at_end(cursor.key());
    auto vote = vote_of(customer, id);
    if (vote) rows.push_back({id, *vote});
  }
  left_out_ += cursor.passed();
  co_return rows;
}

std::optional<Vote> LmdbView::vote_of(const CustomerHash& customer, const Ulid& id) {
  bool voted = txn_.find(db_.voters, voter_key(customer, id)).has_value();
  bool removed = txn_.find(db_.unswept, id.view()).has_value();
  if (!voted || removed) return {};
  auto key = vote_key(id, customer);
  auto bytes = txn_.find(db_.votes.dbi, key);
  auto row = bytes ? lmdb::unsealed(db_.votes.seed, key, *bytes) : std::nullopt;
  auto vote = row ? decode_vote(key, *row) : std::nullopt;
  if (!vote) leave_out("a vote on comment " + id.text());
  return vote;
}

Awaitable<Result<Traces>> LmdbView::traces(CustomerHash customer, std::vector<Ulid> comments) {
  Traces traces;
  auto left_out = left_out_;
  for (const auto& id : comments) {
    if (turn_is_over()) co_await next_turn();
    if (auto vote = vote_of(customer, id)) traces.votes.push_back({id, *vote});
    if (txn_.find(db_.customers, customer_key(customer, "", id))) traces.own.push_back(id);
  }
  traces.damaged = left_out_ - left_out;
  co_return traces;
}

// A part that fails by damage is left as it was. Then each of its keys is a part of its own.
Awaitable<Status> LmdbStore::erase_parts(std::vector<std::string> keys, Eraser eraser,
                                         Erasure& out) {
  std::ptrdiff_t alone = 0;  // keys that are parts of their own
  for (auto from = keys.begin(); from != keys.end();) {
    auto size = alone > 0 ? 1 : std::min<std::ptrdiff_t>(keys.end() - from, erased_at_once);
    auto erase = [eraser, some = std::vector<std::string>(from, from + size)](Edit& edit) {
      return eraser(edit, some);
    };
    auto part = co_await write<Edit::ErasedPart>(std::move(erase));
    if (!part && part.error().code != ErrorCode::damaged) co_return part.error();
    if (!part) out.failed = part.error();
    if (!part && size > 1) {
      alone = size;
      continue;
    }
    if (part) add(out.removed, part->erased);
    if (part && part->damage) out.failed = std::move(part->damage);
    alone = std::max<std::ptrdiff_t>(alone - 1, 0);
    from += size;
  }
  co_return Done{};
}

Awaitable<Status> LmdbStore::erase_under(MDB_dbi database, std::string prefix, Eraser eraser,
                                         Erasure& out) {
  for (std::string last;;) {
    auto keys = keys_now(*databases_, database, prefix, last);
    if (!keys && keys.error().code != ErrorCode::damaged) co_return keys.error();
    if (!keys) out.failed = keys.error();
    if (!keys || keys->empty()) co_return Done{};
    last = keys->back();
    CO_TRY_DONE(co_await erase_parts(std::move(*keys), eraser, out));
  }
}

Awaitable<Status> LmdbStore::erase_all(CustomerHash customer, bool keep_ratings, Erasure& out) {
  Eraser comments = [=](Edit& edit, const std::vector<std::string>& keys) {
    return edit.erase_comments(customer, keep_ratings, keys);
  };
  Eraser votes = [=](Edit& edit, const std::vector<std::string>& keys) {
    return edit.erase_votes(customer, keys);
  };
  Eraser reports = [](Edit& edit, const std::vector<std::string>& keys) {
    return edit.erase_reports(keys);
  };
  std::string prefix(customer_prefix(customer, ""));
  CO_TRY_DONE(co_await erase_under(databases_->customers, prefix, std::move(comments), out));
  prefix = customer.view();
  CO_TRY_DONE(co_await erase_under(databases_->voters, prefix, std::move(votes), out));
  auto [keys, passed] = co_await keys_of_reports(*databases_, customer);
  if (passed > 0) out.failed = Error{ErrorCode::damaged, "Pages of the reports are damaged."};
  CO_TRY_DONE(co_await erase_parts(std::move(keys), std::move(reports), out));
  auto swept = co_await sweep_words();
  if (!swept && swept.error().code != ErrorCode::damaged) co_return swept.error();
  if (!swept) out.failed = swept.error();
  Eraser rest = [=](Edit& edit, const std::vector<std::string>&) {
    return edit.erase_rest(customer);
  };
  std::vector<std::string> once = {std::string()};
  co_return co_await erase_parts(std::move(once), std::move(rest), out);
}

Awaitable<Erasure> LmdbStore::erase(CustomerHash customer, bool keep_ratings) {
  Erasure out;
  auto done = co_await erase_all(customer, keep_ratings, out);
  if (!done) out.failed = done.error();
  co_return out;
}

}  // namespace quire::embedded
