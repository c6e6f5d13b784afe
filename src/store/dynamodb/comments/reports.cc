// The reports on comments. They lie in one item beside the comment, which is written on condition
// that it is as it was read: so no report is lost, and none is kept twice.
#include <algorithm>

#include "base/clock.h"
#include "base/limits.h"
#include "base/try.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t contacts_looked_at = 100;  // items of an index, at once

Expression as_read(const std::optional<Item>& item) {
  static const std::array<std::string, 1> reports = {"reports"};
  return item ? unchanged(*item, reports) : absent();
}

bool has_waiting_contact(const Item& item) {
  auto reports = read_reports(item);
  return reports && std::any_of(reports->begin(), reports->end(),
                                [](const Report& each) { return each.contact.waits(); });
}

}  // namespace

// A person whose report was kept, while the comment was not held for want of an answer, may send
// the report again: then the comment is held.
Awaitable<Result<std::optional<Edited>>> Writes::report(Ulid id, Report report,
                                                        std::uint64_t hold_at) {
  using Held = std::optional<Edited>;
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto item, co_await read(id));
    auto comment = comment_of(item);
    if (!comment) co_return damaged_comment();
    if (!comment->published()) co_return no_such_comment();
    std::size_t kept = 0;
    CO_TRY(auto done, co_await keep(id, report, {true, !comment->moderation.decided}, kept));
    if (!done) {
      co_await client_.pause(round);
      continue;
    }
    if (hold_at == 0 || kept < hold_at || comment->moderation.decided) co_return Held();
    auto hold = [&](const Comment& before, Comment& after) -> Status {
      if (!before.published() || before.moderation.decided) return no_such_comment();
      after.moderation = held(before.moderation, "reports", report.at_ms);
      return Done{};
    };
    Patch nothing;
    Condition in_any_state;
    auto edited = co_await update(id, std::move(nothing), std::move(in_any_state), hold);
    if (edited) co_return Held(std::move(*edited));
    // A moderator, or another report, was faster.
    if (edited.error().code == ErrorCode::not_found) co_return Held();
    co_return edited.error();
  }
  co_return busy_comment();
}

Awaitable<Status> Writes::keep_report(Ulid id, Report report) {
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto item, co_await read(id));
    auto comment = comment_of(item);
    if (!comment) co_return damaged_comment();
    std::size_t kept = 0;
    CO_TRY(auto done, co_await keep(id, report, {comment->published() && !report.answered}, kept));
    if (done) co_return Done{};
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

Awaitable<Result<bool>> Writes::keep(const Ulid& id, const Report& report, Listed listed,
                                     std::size_t& kept) {
  CO_TRY(auto there, co_await client_.get(reports_key(id)));
  std::vector<Report> reports;
  if (there.item) reports = read_reports(*there.item).value_or(reports);
  kept = reports.size();
  bool known = std::any_of(reports.begin(), reports.end(),
                           [&](const Report& each) { return each.person == report.person; });
  bool waits = there.item && is_listed(*there.item);
  bool full = kept >= limits::reports;
  // Reports that a moderator has answered hold nothing when they are repeated.
  if (known && !full && !waits) kept = 0;
  if (full ? waits || !listed.by_those_kept : known) co_return true;
  if (!full) reports.push_back(report);
  Item item = reports_item(id, reports, waits || listed.by_report || full);
  auto put =
      co_await client_.make(put_item(client_.table(), item, as_read(there.item), Repeat::safe));
  if (!put || !*put) co_return put;
  kept = reports.size();
  // A removal that came between has looked for reports already.
  auto comment = co_await read(id);
  bool gone = !comment && comment.error().code == ErrorCode::not_found;
  if (!gone) co_return true;
  CO_TRY_DONE(co_await forget_reports(id));
  co_return comment.error();
}

// The item of the reports that a decision settles: those that are there before it.
Awaitable<Result<std::optional<Item>>> Writes::open_reports(const Ulid& id) {
  CO_TRY(auto there, co_await client_.get(reports_key(id)));
  if (there.item && !is_listed(*there.item) && !has_waiting_contact(*there.item))
    co_return std::optional<Item>();
  co_return std::move(there.item);
}

// Takes the reports out of their queue. If another came meanwhile, or the table does not answer,
// they stay there, and a moderator sees them again.
Awaitable<void> Writes::close_reports(const std::optional<Item>& open,
                                      std::optional<CommentStatus> decision) {
  if (!open) co_return;
  Item closed = *open;
  closed.erase(std::string(queue_attribute));
  closed.erase(std::string(sort_attribute));
  auto reports = read_reports(*open);
  auto id = comment_of_partition(*open);
  if (reports && id) {
    bool settles = decision && *decision != CommentStatus::pending;
    for (auto& each : *reports)
      if (settles && each.contact.waits()) each.contact.decided_ms = system_ms();
    closed = reports_item(*id, *reports, false);
  }
  co_await client_.send(put_item(client_.table(), closed, as_read(open), Repeat::safe));
}

// The reports come after the comment, as they do for a decision: where the table does not answer
// in between, they stay answered.
Awaitable<Result<Edited>> Writes::undo(Ulid id, Undo undo, Condition condition) {
  Patch nothing;
  auto restore = undo.moderate();
  CO_TRY(auto edited, co_await update(id, std::move(nothing), std::move(condition), restore));
  CO_TRY_DONE(co_await reopen_reports(id, undo));
  co_return edited;
}

Awaitable<Status> Writes::reopen_reports(const Ulid& id, const Undo& undo) {
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto there, co_await client_.get(reports_key(id)));
    auto reports = there.item ? read_reports(*there.item) : std::nullopt;
    if (!reports) co_return Done{};
    bool waits = is_listed(*there.item);
    bool reopened = undo.reopen(*reports);
    if (!reopened && (waits || !undo.reported)) co_return Done{};
    Item item = reports_item(id, *reports, waits || undo.reported);
    auto made =
        co_await client_.make(put_item(client_.table(), item, as_read(there.item), Repeat::safe));
    if (!made) co_return made.error();
    if (*made) co_return Done{};
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

// Open reports may have contacts of notices that were decided on before.
Awaitable<Result<std::size_t>> Writes::forget_contacts(std::uint64_t decided_before_ms) {
  std::size_t forgotten = 0;
  for (auto partition : {contacts_partition, reported_partition}) {
    QueryArguments arguments{.table = client_.table(),
                             .index = std::string(indexes.front().name),
                             .partition_name = std::string(queue_attribute),
                             .partition = std::string(partition),
                             .limit = contacts_looked_at};
    do {
      CO_TRY(auto page, co_await client_.page(query(arguments)));
      std::vector<Item> keys;
      for (const auto& item : page.items) keys.push_back(key_in(item));
      CO_TRY(auto found, co_await get_items(client_, std::move(keys)));
      for (const auto& item : found.items) {
        CO_TRY(auto some, co_await forget_contacts_in(item, decided_before_ms));
        forgotten += some;
      }
      arguments.start = std::move(page.last);
    } while (arguments.start);
  }
  co_return forgotten;
}

// An item that changes meanwhile keeps them until the next time.
Awaitable<Result<std::size_t>> Writes::forget_contacts_in(const Item& item,
                                                          std::uint64_t decided_before_ms) {
  auto reports = is_reports(item) ? read_reports(item) : std::nullopt;
  auto id = comment_of_partition(item);
  if (!reports || !id) co_return std::size_t{0};
  std::size_t forgotten = 0;
  for (auto& each : *reports) {
    if (!each.contact.is_decided_before(decided_before_ms)) continue;
    each.contact = {};
    ++forgotten;
  }
  if (forgotten == 0) co_return forgotten;
  Item left = reports_item(*id, *reports, is_listed(item));
  CO_TRY(auto made,
         co_await client_.make(put_item(client_.table(), left, as_read(item), Repeat::safe)));
  co_return made ? forgotten : std::size_t{0};
}

Awaitable<Result<bool>> Writes::forget_report(const Item& item,
                                              const std::array<std::uint8_t, 16>& person) {
  if (!is_reports(item)) co_return false;
  std::optional<Item> there = item;
  for (int round = 0; round < max_rounds; ++round) {
    auto reports = there ? read_reports(*there) : std::nullopt;
    if (!reports) co_return false;
    if (std::erase_if(*reports, [&](const Report& each) { return each.person == person; }) == 0)
      co_return false;
    auto id = Ulid::parse(item.at("PK").text.substr(comment_prefix.size()));
    if (!id) co_return false;
    Item left = reports_item(*id, *reports, is_listed(*there));
    Call call = reports->empty()
                    ? delete_item(client_.table(), reports_key(*id), as_read(there), Repeat::safe)
                    : put_item(client_.table(), left, as_read(there), Repeat::safe);
    auto made = co_await client_.make(std::move(call));
    if (!made || *made) co_return made;
    CO_TRY(auto again, co_await client_.get(reports_key(*id)));
    there = std::move(again.item);
  }
  co_return busy_comment();
}

Awaitable<Status> Writes::forget_reports(const Ulid& id) {
  Call call = delete_item(client_.table(), reports_key(id), {}, Repeat::safe);
  auto answer = co_await client_.send(std::move(call));
  if (answer.failure) co_return error_of(*answer.failure);
  co_return Done{};
}

}  // namespace quire::dynamodb
