// Reads a customer's own comments.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/try.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t first_looked_at = 20;      // comments, for one that is published
constexpr std::size_t reports_looked_at = 1000;  // items of the table, of one read
constexpr std::size_t votes_looked_at = 100;     // the same of the index
constexpr std::size_t rows_looked_at = 100;      // a customer's comments, of one read

// Reads the rows of a customer's comments, the first ones first.
QueryArguments rows_of_comments(std::string table, const CustomerHash& customer,
                                std::size_t limit) {
  return {.table = std::move(table),
          .partition_name = "PK",
          .partition = customer_partition(customer),
          .sort_name = "SK",
          .sort_from = string("COMMENT#"),
          .sort_to = string("COMMENT#~"),
          .limit = limit,
          .consistent = true};
}

}  // namespace

Awaitable<Result<OwnComments>> TableView::written_by(CustomerHash customer,
                                                     std::optional<Ulid> after, std::size_t limit) {
  auto arguments = rows_of_comments(access_.client.table(), customer, limit);
  arguments.forward = false;
  if (after) arguments.start = customer_comment_key(customer, *after);
  CO_TRY(auto rows, co_await page(query(arguments)));
  std::vector<Awaitable<Result<ItemAnswer>>> reads;
  for (const auto& row : rows.items) {
    if (auto id = comment_in_key(row)) reads.push_back(access_.client.get(comment_key(*id)));
  }
  auto items = co_await access_.loop.run(all_in_groups(std::move(reads)));
  OwnComments own;
  auto left_out = left_out_;
  for (auto& item : items) {
    if (!item) co_return item.error();
    consumed_ += item->consumed;
    auto comment = item->item ? comment_in(*item->item) : std::nullopt;
    if (comment && comment->customer == customer) own.comments.push_back(std::move(*comment));
  }
  own.damaged = left_out_ - left_out;
  if (rows.last) own.next = comment_in_key(*rows.last);
  co_return own;
}

// By the rows of comments, which those have that were written without `once`, too. A row whose
// comment another program removed does not count.
Awaitable<Result<std::optional<Ulid>>> TableView::first_of(CustomerHash customer,
                                                           std::string product) {
  auto arguments = rows_of_comments(access_.client.table(), customer, rows_looked_at);
  do {
    CO_TRY(auto rows, co_await page(query(arguments)));
    for (const auto& row : rows.items) {
      auto id = comment_in_key(row);
      if (!id || product_named(row) != product) continue;
      auto found = co_await find(*id);
      if (!found && found.error().code != ErrorCode::not_found) co_return found.error();
      if (found && found->customer == customer) co_return *id;
    }
    arguments.start = std::move(rows.last);
  } while (arguments.start);
  co_return std::optional<Ulid>();
}

Awaitable<Result<std::optional<Ulid>>> TableView::made_by(CustomerHash customer, TicketId ticket) {
  std::vector<Awaitable<Result<ItemAnswer>>> reads;
  reads.push_back(access_.client.get(ticket_key(customer, ticket)));
  auto answers = co_await access_.loop.run(all_in_groups(std::move(reads)));
  auto& used = answers.front();
  if (!used) co_return used.error();
  consumed_ += used->consumed;
  if (!used->item) co_return std::optional<Ulid>();
  auto made = comment_named(*used->item);
  if (!made)
    co_return Error{ErrorCode::damaged, "A used ticket is damaged: run quire verify --repair."};
  co_return made;
}

Awaitable<Result<bool>> TableView::has_published(CustomerHash customer) {
  std::optional<Ulid> after;
  do {
    CO_TRY(auto own, co_await written_by(customer, after, first_looked_at));
    for (const auto& comment : own.comments)
      if (comment.published()) co_return true;
    after = own.next;
  } while (after);
  co_return false;
}

// No index has all reports, so the whole table is read.
Awaitable<Result<std::vector<ReportRow>>> TableView::reports_by(CustomerHash customer) {
  std::vector<ReportRow> rows;
  std::optional<Item> start;
  do {
    CO_TRY(auto found,
           co_await page(dynamodb::scan(access_.client.table(), start, reports_looked_at)));
    for (const auto& item : found.items) {
      auto id = is_reports(item) ? comment_of_partition(item) : std::nullopt;
      if (!id) continue;
      for (auto& report : reports_in(item))
        if (report.person == customer.person()) rows.push_back({*id, std::move(report)});
    }
    start = std::move(found.last);
  } while (start);
  co_return rows;
}

// The index has the keys of votes alone.
Awaitable<Result<std::vector<VoteRow>>> TableView::votes_by(CustomerHash customer) {
  std::vector<VoteRow> rows;
  QueryArguments arguments{.table = access_.client.table(),
                           .index = std::string(indexes.front().name),
                           .partition_name = std::string(queue_attribute),
                           .partition = customer_partition(customer),
                           .limit = votes_looked_at};
  do {
    CO_TRY(auto found, co_await page(query(arguments)));
    std::vector<Item> keys;
    for (const auto& item : found.items)
      if (is_vote(item)) keys.push_back(key_in(item));
    CO_TRY(auto votes, co_await votes_in(std::move(keys)));
    rows.insert(rows.end(), votes.begin(), votes.end());
    arguments.start = std::move(found.last);
  } while (arguments.start);
  co_return rows;
}

Awaitable<Result<std::vector<VoteRow>>> TableView::votes_in(std::vector<Item> keys) {
  std::vector<VoteRow> rows;
  std::vector<Awaitable<Result<ItemAnswer>>> reads;
  for (auto& key : keys) reads.push_back(access_.client.get(std::move(key)));
  auto items = co_await access_.loop.run(all_in_groups(std::move(reads)));
  for (const auto& item : items) {
    if (!item) co_return item.error();
    consumed_ += item->consumed;
    auto id = item->item ? comment_of_partition(*item->item) : std::nullopt;
    auto vote = id ? read_vote(*item->item) : std::nullopt;
    if (vote) rows.push_back({*id, *vote});
    if (id && !vote) leave_out({name_of(*item->item), "It is no vote as Quire writes it."});
  }
  co_return rows;
}

Awaitable<Result<Traces>> TableView::traces(CustomerHash customer, std::vector<Ulid> comments) {
  Traces traces;
  auto left_out = left_out_;
  std::vector<Item> keys;
  for (const auto& id : comments) keys.push_back(vote_key(id, customer));
  CO_TRY(traces.votes, co_await votes_in(std::move(keys)));
  if (comments.empty()) co_return traces;
  auto [oldest, newest] = std::minmax_element(comments.begin(), comments.end());
  QueryArguments arguments{.table = access_.client.table(),
                           .partition_name = "PK",
                           .partition = customer_partition(customer),
                           .sort_name = "SK",
                           .sort_from = customer_comment_key(customer, *oldest).at("SK"),
                           .sort_to = customer_comment_key(customer, *newest).at("SK"),
                           .consistent = true};
  std::set<Ulid> written;
  do {
    CO_TRY(auto rows, co_await page(query(arguments)));
    for (const auto& row : rows.items)
      if (auto id = comment_in_key(row)) written.insert(*id);
    arguments.start = std::move(rows.last);
  } while (arguments.start);
  for (const auto& id : comments)
    if (written.contains(id)) traces.own.push_back(id);
  traces.damaged = left_out_ - left_out;
  co_return traces;
}

}  // namespace quire::dynamodb
