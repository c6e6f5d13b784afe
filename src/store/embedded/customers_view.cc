// Reads a customer's own comments, and erases what a customer left.
#include <algorithm>

#include "loop/turn.h"
#include "store/embedded/format/customer_rows.h"
#include "store/embedded/format/moderation_rows.h"
#include "store/embedded/store.h"
#include "store/embedded/view.h"

namespace quire::embedded {
namespace {

constexpr std::size_t reports_at_once = 1000;  // of one transaction of an erasure

// Puts the cursor on the customer's newest comment, or the newest before `after`. Whether there is
// one. No id is all ones.
bool start(lmdb::Cursor& cursor, const CustomerHash& customer, const std::optional<Ulid>& after) {
  Ulid end;
  end.bytes.fill(0xff);
  bool there = cursor.seek(customer_key(customer, after.value_or(end)), MDB_SET_RANGE);
  return cursor.move(there ? MDB_PREV : MDB_LAST) && cursor.key().starts_with(customer.view());
}

void add(Erased& sum, const Erased& part) {
  sum.comments += part.comments;
  sum.emptied += part.emptied;
  sum.reports += part.reports;
  sum.answers += part.answers;
  sum.tickets += part.tickets;
}

// The keys of the reports that a person made.
Awaitable<std::vector<std::string>> reports_by(const Databases& databases,
                                               std::array<std::uint8_t, 16> person) {
  std::vector<std::string> keys;
  std::string_view bytes(reinterpret_cast<const char*>(person.data()), person.size());
  lmdb::ReadTransaction txn(*databases.environment);
  lmdb::Cursor cursor(txn, databases.reports.dbi);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    if (cursor.key().ends_with(bytes)) keys.emplace_back(cursor.key());
    if (turn_is_over()) co_await next_turn();
  }
  co_return keys;
}

}  // namespace

Awaitable<Result<OwnComments>> LmdbView::written_by(CustomerHash customer,
                                                    std::optional<Ulid> after, std::size_t limit) {
  OwnComments own;
  lmdb::Cursor cursor(txn_, db_.customers);
  cursor.pass_damage();
  std::size_t looked_at = 0;
  std::optional<Ulid> last;
  bool there = start(cursor, customer, after);
  for (; there && cursor.key().starts_with(customer.view()); there = cursor.move(MDB_PREV)) {
    if (looked_at++ == limit) {
      own.next = last;
      break;
    }
    if (turn_is_over()) co_await next_turn();
    last = id_at_end(cursor.key());
    auto comment = co_await find(*last);
    bool whole = comment && comment->customer == customer;
    if (!whole) db_.damage.meet("comment " + last->text());
    if (whole) own.comments.push_back(std::move(*comment));
  }
  co_return own;
}

Awaitable<Result<bool>> LmdbView::has_published(CustomerHash customer) {
  lmdb::Cursor cursor(txn_, db_.customers);
  cursor.pass_damage();
  bool there = start(cursor, customer, {});
  for (; there && cursor.key().starts_with(customer.view()); there = cursor.move(MDB_PREV)) {
    if (turn_is_over()) co_await next_turn();
    if (txn_.find(db_.ids.dbi, id_at_end(cursor.key()).view())) co_return true;
  }
  co_return false;
}

Awaitable<Result<Erased>> LmdbStore::erase(CustomerHash customer, bool keep_ratings) {
  Erased erased;
  std::optional<Error> damage;
  std::optional<Ulid> after;
  do {
    auto part = co_await write<Edit::ErasedPart>([customer, keep_ratings, after](Edit& edit) {
      return edit.erase_comments(customer, keep_ratings, after);
    });
    if (!part) co_return part.error();
    add(erased, part->erased);
    if (part->damage) damage = std::move(part->damage);
    after = part->next;
  } while (after);
  auto reports = co_await reports_by(*databases_, customer.person());
  for (auto from = reports.begin(); from != reports.end();) {
    auto to = from + std::min<std::ptrdiff_t>(reports.end() - from, reports_at_once);
    std::vector<std::string> some(from, to);
    auto part = co_await write<Erased>(
        [some = std::move(some)](Edit& edit) { return edit.erase_reports(some); });
    if (!part) co_return part.error();
    add(erased, *part);
    from = to;
  }
  auto rest = co_await write<Erased>([customer](Edit& edit) { return edit.erase_rest(customer); });
  if (!rest) co_return rest.error();
  add(erased, *rest);
  if (damage) co_return std::move(*damage);
  co_return erased;
}

}  // namespace quire::embedded
