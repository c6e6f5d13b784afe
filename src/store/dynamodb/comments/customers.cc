// What hangs on a customer: the items beside the customer's comments, the terms that bind a new
// one, and erasure.
#include <algorithm>

#include "base/try.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

using Kind = Action::Kind;

constexpr std::size_t rows_at_once = 100;      // of one read
constexpr std::size_t scanned_at_once = 1000;  // of one read of the whole table

// The item still names this comment.
Expression still_names(const Ulid& id) {
  return {"#c = :c", {{"#c", std::string(named_attribute)}}, {{":c", string(id.text())}}};
}

Error damaged_reports(const Item& item) {
  auto id = comment_of_partition(item);
  return {ErrorCode::damaged, "The reports on comment " + (id ? id->text() : "?") +
                                  " are damaged, and may name the customer."};
}

// The rows of a customer, those of comments first.
QueryArguments rows_of(const std::string& table, const CustomerHash& customer) {
  return {.table = table,
          .partition_name = "PK",
          .partition = customer_partition(customer),
          .limit = rows_at_once,
          .consistent = true};
}

}  // namespace

CommentWrite insertion_of(Comment comment, const CustomerTerms& terms) {
  CommentWrite write{{}, std::move(comment)};
  const auto& written = *write.after;
  if (!written.customer) return write;
  const auto& customer = *written.customer;
  write.beside.push_back({Kind::put, customer_comment_item(customer, written)});
  if (terms.once)
    write.beside.push_back({Kind::put, customer_product_item(customer, written), absent()});
  if (terms.ticket) {
    const auto& [id, ends_ms] = *terms.ticket;
    write.beside.push_back({Kind::put, ticket_item(customer, id, ends_ms, written.id), absent()});
  }
  return write;
}

// A comment that was put before, by a process that ended, stands in its own way.
Awaitable<Status> Writes::check_terms(const Comment& comment, const CustomerTerms& terms) {
  if (!comment.customer) co_return Done{};
  if (terms.ticket) {
    CO_TRY_DONE(terms.ticket->check_at(terms.now_ms));
    CO_TRY(auto there, co_await client_.get(ticket_key(*comment.customer, terms.ticket->id)));
    auto first = there.item ? comment_named(*there.item) : std::nullopt;
    if (first && *first != comment.id) co_return used_invitation(*first);
  }
  if (!terms.once) co_return Done{};
  CO_TRY(auto first, co_await first_of(*comment.customer, comment.product));
  if (!first || *first == comment.id) co_return Done{};
  co_return second_comment(*first);
}

Awaitable<Result<bool>> Writes::is_by(const CustomerHash& customer, const Ulid& id) {
  auto item = co_await read(id);
  if (!item && item.error().code != ErrorCode::not_found) co_return item.error();
  auto comment = item ? comment_of(*item) : std::nullopt;
  co_return comment && comment->customer == customer;
}

// Comments that were written without `once` have no row of their product. A row whose comment
// another program removed does not count.
Awaitable<Result<std::optional<Ulid>>> Writes::first_of(const CustomerHash& customer,
                                                        const std::string& product) {
  using First = std::optional<Ulid>;
  CO_TRY(auto there, co_await client_.get(customer_product_key(customer, product)));
  if (auto id = there.item ? comment_named(*there.item) : First()) {
    CO_TRY(auto counts, co_await is_by(customer, *id));
    if (counts) co_return First(*id);
    Call stale = delete_item(client_.table(), key_in(*there.item), still_names(*id), Repeat::safe);
    CO_TRY_DONE(co_await client_.make(std::move(stale)));
  }
  auto arguments = rows_of(client_.table(), customer);
  arguments.sort_name = "SK";
  arguments.sort_to = string("COMMENT#~");  // rows of another kind sort behind
  do {
    CO_TRY(auto page, co_await client_.page(query(arguments)));
    for (const auto& item : page.items) {
      auto id = comment_in_key(item);
      if (!id || product_named(item) != product) continue;
      CO_TRY(auto counts, co_await is_by(customer, *id));
      if (counts) co_return First(*id);
    }
    arguments.start = std::move(page.last);
  } while (arguments.start);
  co_return First();
}

Awaitable<Result<std::vector<Action>>> Writes::rows_to_forget(const Comment& comment) {
  std::vector<Action> actions;
  if (!comment.customer) co_return actions;
  actions.push_back({Kind::remove, customer_comment_key(*comment.customer, comment.id)});
  Item of_product = customer_product_key(*comment.customer, comment.product);
  CO_TRY(auto there, co_await client_.get(of_product));
  if (there.item && comment_named(*there.item) == comment.id)
    actions.push_back({Kind::remove, std::move(of_product), still_names(comment.id)});
  co_return actions;
}

Awaitable<Erasure> Writes::erase(CustomerHash customer, bool keep_ratings) {
  Erased erased;
  std::optional<Error> damage;
  auto arguments = rows_of(client_.table(), customer);
  do {
    auto page = co_await client_.page(query(arguments));
    if (!page) co_return Erasure{erased, page.error()};
    for (const auto& row : page->items) {
      auto done = co_await erase_row(customer, row, keep_ratings, erased);
      if (!done) co_return Erasure{erased, done.error()};
    }
    arguments.start = std::move(page->last);
  } while (arguments.start);
  auto voted = co_await erase_votes(customer, erased, damage);
  if (!voted) co_return Erasure{erased, voted.error()};
  auto done = co_await erase_reports(customer.person(), erased, damage);
  if (!done) co_return Erasure{erased, done.error()};
  co_return Erasure{erased, std::move(damage)};
}

Awaitable<Status> Writes::erase_row(const CustomerHash& customer, const Item& row,
                                    bool keep_ratings, Erased& erased) {
  if (auto id = comment_in_key(row)) {
    CO_TRY_DONE(co_await erase_comment(customer, *id, keep_ratings, erased));
  }
  erased.tickets += is_ticket(row);
  auto answer = co_await client_.send(delete_item(client_.table(), key_in(row), {}, Repeat::safe));
  if (answer.failure) co_return error_of(*answer.failure);
  co_return Done{};
}

Awaitable<Status> Writes::erase_comment(const CustomerHash& customer, const Ulid& id,
                                        bool keep_ratings, Erased& erased) {
  auto item = co_await read(id);
  if (!item && item.error().code == ErrorCode::not_found) co_return Done{};
  if (!item) co_return item.error();
  auto comment = comment_of(*item);  // absent: it is damaged, and may have the customer's words
  if (comment && comment->customer != customer) co_return Done{};
  CO_TRY(auto answer, co_await forget_key(*item, id));
  erased.answers += answer.has_value();
  // Before the comment names its customer no more, so that an erasure that is cut short goes on
  // here.
  CO_TRY_DONE(co_await forget_reports(id));
  if (comment && comment->published() && keep_ratings) {
    auto emptied = co_await empty(id);
    if (!emptied && emptied.error().code != ErrorCode::not_found) co_return emptied.error();
    erased.emptied += emptied.ok();
    co_return Done{};
  }
  Condition in_any_state;
  auto removed = co_await remove(id, std::move(in_any_state));
  if (!removed && removed.error().code != ErrorCode::not_found) co_return removed.error();
  erased.comments += removed.ok();
  co_return Done{};
}

// Makes a published comment a rating of nobody.
Awaitable<Status> Writes::empty(Ulid id) {
  auto moderate = [](const Comment&, Comment& after) -> Status {
    anonymize(after);
    return Done{};
  };
  Patch nothing;
  Condition in_any_state;
  CO_TRY_DONE(co_await update(id, std::move(nothing), std::move(in_any_state), moderate));
  co_return Done{};
}

// No index has all reports, so the whole table is read.
Awaitable<Status> Writes::erase_reports(std::array<std::uint8_t, 16> person, Erased& erased,
                                        std::optional<Error>& damage) {
  std::optional<Item> start;
  do {
    CO_TRY(auto page, co_await client_.page(scan(client_.table(), start, scanned_at_once)));
    for (const auto& item : page.items) {
      if (is_reports(item) && !read_reports(item)) damage = damaged_reports(item);
      CO_TRY(auto done, co_await forget_report(item, person));
      erased.reports += done;
    }
    start = std::move(page.last);
  } while (start);
  co_return Done{};
}

}  // namespace quire::dynamodb
