// What hangs on a customer: the items beside the customer's comments, the terms that bind a new
// one, and erasure.
#include <algorithm>

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

CommentWrite insertion_of(Comment comment, const Terms& terms) {
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
Awaitable<std::optional<Error>> Writes::refusal(const Comment& comment, const Terms& terms) {
  if (!comment.customer) co_return std::nullopt;
  if (terms.ticket) {
    if (auto ended = terms.ticket->refuses_at(terms.now_ms)) co_return std::move(*ended);
    auto there = co_await client_.get(ticket_key(*comment.customer, terms.ticket->id));
    if (!there) co_return there.error();
    auto first = there->item ? comment_named(*there->item) : std::nullopt;
    if (first && *first != comment.id) co_return used_invitation(*first);
  }
  if (!terms.once) co_return std::nullopt;
  auto first = co_await first_of(*comment.customer, comment.product);
  if (!first) co_return first.error();
  if (!*first || **first == comment.id) co_return std::nullopt;
  co_return second_comment(**first);
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
  auto there = co_await client_.get(customer_product_key(customer, product));
  if (!there) co_return there.error();
  if (auto id = there->item ? comment_named(*there->item) : First()) {
    auto counts = co_await is_by(customer, *id);
    if (!counts) co_return counts.error();
    if (*counts) co_return First(*id);
    Call stale = delete_item(client_.table(), key_in(*there->item), still_names(*id), Repeat::safe);
    auto removed = co_await client_.make(std::move(stale));
    if (!removed) co_return removed.error();
  }
  auto arguments = rows_of(client_.table(), customer);
  arguments.sort_name = "SK";
  arguments.sort_to = string("COMMENT#~");  // rows of another kind sort behind
  do {
    auto page = co_await client_.page(query(arguments));
    if (!page) co_return page.error();
    for (const auto& item : page->items) {
      auto id = comment_in_key(item);
      if (!id || product_named(item) != product) continue;
      auto counts = co_await is_by(customer, *id);
      if (!counts) co_return counts.error();
      if (*counts) co_return First(*id);
    }
    arguments.start = std::move(page->last);
  } while (arguments.start);
  co_return First();
}

Awaitable<Result<std::vector<Action>>> Writes::rows_to_forget(const Comment& comment) {
  std::vector<Action> actions;
  if (!comment.customer) co_return actions;
  actions.push_back({Kind::remove, customer_comment_key(*comment.customer, comment.id)});
  Item of_product = customer_product_key(*comment.customer, comment.product);
  auto there = co_await client_.get(of_product);
  if (!there) co_return there.error();
  if (there->item && comment_named(*there->item) == comment.id)
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
    auto done = co_await erase_comment(customer, *id, keep_ratings, erased);
    if (!done) co_return done.error();
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
  auto answer = co_await forget_key(*item, id);
  if (!answer) co_return answer.error();
  erased.answers += answer->has_value();
  // Before the comment names its customer no more, so that an erasure that is cut short goes on
  // here.
  auto forgotten = co_await forget_reports(id);
  if (!forgotten) co_return forgotten.error();
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
  auto judge = [](const Comment&, Comment& after) -> std::optional<Error> {
    anonymize(after);
    return {};
  };
  Patch nothing;
  Condition in_any_state;
  auto edited = co_await update(id, std::move(nothing), std::move(in_any_state), judge);
  if (!edited) co_return edited.error();
  co_return Done{};
}

// No index has all reports, so the whole table is read.
Awaitable<Status> Writes::erase_reports(std::array<std::uint8_t, 16> person, Erased& erased,
                                        std::optional<Error>& damage) {
  std::optional<Item> start;
  do {
    auto page = co_await client_.page(scan(client_.table(), start, scanned_at_once));
    if (!page) co_return page.error();
    for (const auto& item : page->items) {
      if (is_reports(item) && !read_reports(item)) damage = damaged_reports(item);
      auto done = co_await forget_report(item, person);
      if (!done) co_return done.error();
      erased.reports += *done;
    }
    start = std::move(page->last);
  } while (start);
  co_return Done{};
}

}  // namespace quire::dynamodb
