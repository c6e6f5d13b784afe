#include "store/dynamodb/adopted/by_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "store/dynamodb/comments/batches.h"

namespace quire::adopted {
namespace {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

constexpr int max_queries = 100;
constexpr std::size_t spare = 8;  // items read beyond the page, for those of its last moment
constexpr std::size_t max_items = 1000;
constexpr std::string_view last_character = "\U0010FFFF";

// What stands before the time in each key.
std::string head_of(const Mapping& mapping) {
  auto head = mapping.created_at.pattern.text_of("\n").value_or("\n");
  head.resize(head.find('\n'));
  return head;
}

struct Reader {
  dynamodb::TableAccess& access;
  const Table& table;
  TimedComments out = {{}, false};

  // Items of an index that lacks attributes are read from the table.
  Awaitable<Status> add(std::vector<Item> items) {
    if (!table.by_time->whole) {
      std::set<Item> keys;
      for (const auto& item : items)
        if (auto key = key_in(table.names, item)) keys.insert(std::move(*key));
      auto found = co_await dynamodb::get_items(access.client, {keys.begin(), keys.end()});
      if (!found) co_return found.error();
      out.consumed += found->consumed;
      items = std::move(found->items);
    }
    for (const auto& item : items) {
      auto reading = table.read(item);
      auto reason = damage_in(table, item, reading);
      if (!reason.empty()) access.damaged.note(damage_of(table, item, reason));
      if (!reading.comment || !reason.empty()) continue;
      out.comments.push_back(std::move(*reading.comment));
    }
    co_return Done{};
  }
};

}  // namespace

SortBounds bounds_of(const Mapping& mapping, Type sort_type, Order order,
                     std::optional<std::uint64_t> from_ms) {
  bool newest = order == Order::newest_first;
  if (sort_type == Type::number) {
    if (!from_ms) return {};
    auto text = moment_text(mapping.time, *from_ms);
    if (newest) return {{}, Attribute{Type::number, text + ".999999999"}};
    return {Attribute{Type::number, text}, {}};
  }
  auto head = head_of(mapping);
  SortBounds out;
  if (!head.empty()) {
    out.from = dynamodb::string(head);
    out.to = dynamodb::string(head + std::string(last_character));
  }
  if (!from_ms) return out;
  if (newest)
    out.to =
        dynamodb::string(head + moment_text(mapping.time, *from_ms) + std::string(last_character));
  else
    out.from = dynamodb::string(head + first_text(mapping.time, *from_ms));
  return out;
}

bool sorts_by_time(const Mapping& mapping, const Attribute& key, const Comment& comment) {
  if (key.type == Type::number) return true;
  auto ms = comment.created_ms();
  auto format = mapping.time.format;
  std::size_t digits = format == TimeFormat::epoch_s ? 10 : 13;
  if (format != TimeFormat::iso8601 && moment_text(mapping.time, ms).size() != digits) return false;
  auto from = bounds_of(mapping, key.type, Order::oldest_first, ms).from;
  auto to = bounds_of(mapping, key.type, Order::newest_first, ms).to;
  return from->text <= key.text && key.text <= to->text;
}

std::string damage_in(const Table& table, const Item& item, const Reading& reading) {
  if (!reading.comment || !table.by_time) return reading.reason;
  const auto& key = item.at(table.by_time->sort);
  if (sorts_by_time(table.mapping, key, *reading.comment)) return {};
  auto head =
      head_of(table.mapping) + moment_text(table.mapping.time, reading.comment->created_ms());
  return fmt::format(
      "It does not sort by its time, as a key that begins with {} would: pages by [index] leave it "
      "out.",
      head);
}

Awaitable<Result<TimedComments>> read_by_time(dynamodb::TableAccess& access, const Table& table,
                                              std::string product, Order order,
                                              std::optional<Ulid> after, std::size_t limit) {
  const auto& by_time = *table.by_time;
  auto from_ms = after ? std::optional(after->ms()) : std::nullopt;
  auto bounds = bounds_of(table.mapping, by_time.sort_type, order, from_ms);
  dynamodb::QueryArguments arguments{
      .table = access.client.table(),
      .index = by_time.index,
      .partition_name = by_time.partition,
      .partition = table.mapping.product.pattern.text_of(product).value_or(product),
      .partition_type = by_time.partition_type,
      .sort_name = by_time.sort,
      .sort_from = std::move(bounds.from),
      .sort_to = std::move(bounds.to),
      .forward = order == Order::oldest_first,
      .limit = limit + spare};
  Reader reader{access, table};
  auto& comments = reader.out.comments;
  auto passed = [&](const Comment& comment) {
    return after && !precedes(*after, comment.id, order);
  };
  for (int queries = 0; queries < max_queries; ++queries) {
    auto answer = co_await access.client.send(query(arguments));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = dynamodb::decode_page(answer.body);
    if (!page) co_return dynamodb::damaged_answer();
    access.client.figures().add_consumed(page->consumed);
    reader.out.consumed += page->consumed;
    auto added = co_await reader.add(std::move(page->items));
    if (!added) co_return added.error();
    std::erase_if(comments, passed);
    std::sort(comments.begin(), comments.end(),
              [&](const Comment& a, const Comment& b) { return precedes(a.id, b.id, order); });
    reader.out.end = !page->last;
    // Another comment of the last one's moment may come before it.
    auto unit = moment_of(table.mapping.time);
    auto moment = [&](const Comment& each) { return each.created_ms() / unit; };
    bool whole = comments.size() > limit && moment(comments.back()) != moment(comments[limit - 1]);
    if (reader.out.end || whole) {
      if (comments.size() > limit) {
        comments.resize(limit);
        reader.out.end = false;
      }
      co_return std::move(reader.out);
    }
    arguments.start = std::move(page->last);
    arguments.limit = std::min(2 * arguments.limit, max_items);
  }
  co_return Error{ErrorCode::unavailable,
                  "Very many items of the table have the same time, or are no comments: keep a "
                  "page index, --pages lmdb:DIR."};
}

}  // namespace quire::adopted
