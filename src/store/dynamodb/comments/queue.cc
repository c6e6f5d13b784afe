// The queues of moderators: partitions of the index `all`.
#include "store/dynamodb/items/queue_items.h"

#include <algorithm>

#include "base/try.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/view.h"

namespace quire::dynamodb {
namespace {

using QueueKind = QueueQuestion::Kind;

constexpr std::size_t max_looked_at = 1000;  // items of the queue, for one page
constexpr std::size_t items_at_once = 100;   // of a request, where a filter passes over many
constexpr std::size_t min_items = 20;        // of any request
constexpr std::uint64_t max_counted = 1000;  // a longer queue has no total
constexpr int max_count_pages = 4;           // a megabyte each

Error unreadable() {
  return {ErrorCode::damaged,
          "Very many damaged items lie in the queue: run quire verify --repair."};
}

std::string partition_of(QueueKind kind) {
  if (kind == QueueKind::reported) return std::string(reported_partition);
  return queue_partition(kind == QueueKind::pending ? CommentStatus::pending
                                                    : CommentStatus::rejected);
}

QueryArguments arguments_of(const std::string& table, QueueKind kind) {
  return {.table = table,
          .index = std::string(indexes.front().name),
          .partition_name = std::string(queue_attribute),
          .partition = partition_of(kind)};
}

Error unlisted() {
  return {ErrorCode::invalid_parameter,
          "A table has no list of the published comments of all products. Ask for status pending, "
          "rejected or reported, or for the comments of a product. quire export gives all, and the "
          "table's stream tells of new ones.",
          "status"};
}

bool is_listed_kind(QueueKind kind) {
  return kind != QueueKind::published && kind != QueueKind::any;
}

Item start_at(QueueKind kind, const Ulid& id) {
  Item key = kind == QueueKind::reported ? reports_key(id) : comment_key(id);
  key.emplace(queue_attribute, string(partition_of(kind)));
  key.emplace(sort_attribute, string(id.text()));
  return key;
}

// The reports of an item, as an export has them.
std::vector<Report> answered_or_not(std::vector<Report> reports, const Item& item) {
  for (auto& report : reports) report.answered = !is_listed(item);
  return reports;
}

std::optional<Ulid> id_of(const Item& item) {
  return Ulid::parse(text_of(item, sort_attribute).value_or(""));
}

}  // namespace

Awaitable<Result<Comment>> TableView::find(const Ulid& id) {
  CO_TRY(auto found, co_await access_.loop.run(access_.client.get(comment_key(id))));
  consumed_ += found.consumed;
  if (!found.item || !is_comment(*found.item)) co_return no_such_comment();
  auto comment = comment_in(*found.item);
  if (!comment) co_return damaged_comment();
  co_return std::move(*comment);
}

Awaitable<Result<QueuePage>> TableView::queue(QueueQuestion question) {
  if (!is_listed_kind(question.kind)) co_return unlisted();
  auto arguments = arguments_of(access_.client.table(), question.kind);
  arguments.forward = question.direction() == Order::oldest_first;
  if (auto start = question.start()) arguments.start = start_at(question.kind, *start);
  QueuePage page;
  std::size_t looked_at = 0;
  std::optional<Ulid> first, last, further, back;
  for (bool end = false; !end;) {
    arguments.limit = question.filtered()
                          ? items_at_once
                          : std::max(question.limit - page.rows.size() + 1, min_items);
    CO_TRY(auto answer, co_await this->page(query(arguments)));
    CO_TRY(auto comments, co_await comments_of(question.kind, answer.items, page.damaged));
    for (const auto& item : answer.items) {
      auto id = id_of(item);
      end = id && !question.in_time(*id);
      if (end) break;
      if (page.rows.size() == question.limit || looked_at++ == max_looked_at) {
        if (!last) co_return unreadable();
        further = last;
        page.ended_early = page.rows.size() < question.limit;
        break;
      }
      if (id) last = id;
      if (!first) first = last;
      auto comment = id ? comments.find(*id) : comments.end();
      if (comment != comments.end() && question.matches(comment->second))
        page.rows.push_back(Queued{std::move(comment->second), {}});
    }
    arguments.start = std::move(answer.last);
    end = end || further || !arguments.start;
  }
  if (question.from() && first) {
    CO_TRY(auto more, co_await goes_back(question, *first));
    if (more) back = first;
  }
  page.arrange(question, further, back);
  CO_TRY_DONE(co_await add_reports(page.rows));
  if (question.filtered()) co_return page;
  bool whole = !question.from() && !further;
  if (whole) page.total = page.rows.size();
  if (whole) co_return page;
  CO_TRY(page.total, co_await count_queue(question.kind));
  co_return page;
}

// Whether the queue has comments on the other side of the first one that was looked at.
Awaitable<Result<bool>> TableView::goes_back(QueueQuestion question, const Ulid& first) {
  auto arguments = arguments_of(access_.client.table(), question.kind);
  arguments.forward = question.direction() != Order::oldest_first;
  arguments.start = start_at(question.kind, first);
  arguments.limit = 1;
  CO_TRY(auto answer, co_await this->page(query(arguments)));
  if (answer.items.empty()) co_return false;
  auto beside = id_of(answer.items.front());
  co_return !beside || question.in_time(*beside);
}

std::vector<Report> TableView::reports_in(const Item& item) {
  auto reports = read_reports(item);
  if (!reports) leave_out({name_of(item), "Its reports are not as Quire writes them."});
  return std::move(reports).value_or(std::vector<Report>());
}

// In a scan, a comment's reports come after it.
void TableView::note_moderation(const Item& item, const std::optional<Comment>& comment) {
  if (comment) {
    scanned_ = comment;
    if (comment->moderation != Moderation{}) moderated_.push_back({*comment, {}});
  } else if (scanned_ && is_reports(item) &&
             text_of(item, "PK") == comment_key(scanned_->id).at("PK").text) {
    moderated_.push_back({*scanned_, answered_or_not(reports_in(item), item)});
  }
}

Awaitable<Result<std::vector<Queued>>> TableView::moderated(std::string_view product,
                                                            std::span<const Entry> entries) {
  if (product.empty()) co_return std::exchange(moderated_, {});
  std::vector<Item> keys;
  for (const auto& entry : entries) {
    keys.push_back(comment_key(entry.id));
    keys.push_back(reports_key(entry.id));
  }
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  std::map<std::string, Queued, std::less<>> rows;
  for (const auto& item : found.items) {
    auto comment = comment_in(item);
    if (comment && comment->published()) rows[item.at("PK").text].comment = std::move(*comment);
    if (is_reports(item))
      rows[item.at("PK").text].reports = answered_or_not(reports_in(item), item);
  }
  std::vector<Queued> out;
  for (const auto& entry : entries) {
    auto row = rows.find(comment_key(entry.id).at("PK").text);
    bool known = row != rows.end() && row->second.comment.id == entry.id &&
                 (!row->second.reports.empty() || row->second.comment.moderation != Moderation{});
    if (known) out.push_back(std::move(row->second));
  }
  co_return out;
}

// The comments of a queue's items, by id. A comment that was decided on a moment ago is left out.
Awaitable<Result<std::map<Ulid, Comment>>> TableView::comments_of(QueueKind kind,
                                                                  std::span<const Item> items,
                                                                  std::size_t& damaged) {
  std::map<Ulid, Comment> out;
  auto wanted = kind == QueueKind::reported  ? CommentStatus::published
                : kind == QueueKind::pending ? CommentStatus::pending
                                             : CommentStatus::rejected;
  auto take = [&](const Item& item) {
    auto comment = comment_in(item);
    if (!comment) ++damaged;
    if (comment && comment->moderation.status == wanted)
      out.emplace(comment->id, std::move(*comment));
    else if (comment && kind != QueueKind::reported)
      access_.damaged.note({item.at("PK").text, "It lies in the queue of another status."});
  };
  if (kind != QueueKind::reported) {
    for (const auto& item : items) take(item);
    co_return out;
  }
  std::vector<Item> keys;
  for (const auto& item : items) {
    auto id = is_reports(item) ? id_of(item) : std::nullopt;
    if (!id || text_of(item, "PK") != comment_key(*id).at("PK").text) continue;
    keys.push_back(comment_key(*id));
  }
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  for (const auto& item : found.items) take(item);
  co_return out;
}

Awaitable<Status> TableView::add_reports(std::vector<Queued>& rows) {
  std::map<std::string, Queued*> by_key;
  std::vector<Item> keys;
  for (auto& row : rows) {
    keys.push_back(reports_key(row.comment.id));
    by_key.emplace(keys.back().at("PK").text, &row);
  }
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  for (const auto& item : found.items) {
    auto row = by_key.find(std::string(text_of(item, "PK").value_or("")));
    if (row != by_key.end()) row->second->reports = reports_in(item);
  }
  co_return Done{};
}

// Absent: there are more than max_counted, or they are too long to be counted.
Awaitable<Result<std::optional<std::uint64_t>>> TableView::count_queue(QueueKind kind) {
  using Count = std::optional<std::uint64_t>;
  auto arguments = arguments_of(access_.client.table(), kind);
  arguments.count = true;
  std::uint64_t count = 0;
  for (int i = 0; i < max_count_pages; ++i) {
    arguments.limit = max_counted + 1 - count;
    auto answer = co_await access_.loop.run(access_.client.send(query(arguments)));
    if (answer.failure) co_return error_of(*answer.failure);
    auto counted = decode_count(answer.body);
    if (!counted) co_return damaged_answer();
    consumed_ += counted->consumed;
    access_.client.metrics().add_consumed(counted->consumed);
    count += counted->count;
    if (count > max_counted) co_return Count();
    if (!counted->last) co_return Count(count);
    arguments.start = std::move(counted->last);
  }
  co_return Count();
}

}  // namespace quire::dynamodb
