#include "store/dynamodb/adopted/sort_keys.h"

#include <fmt/format.h>

namespace quire::adopted {
namespace {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

constexpr std::string_view last_character = "\U0010FFFF";

// What stands before the time in each key.
std::string head_of(const Mapping& mapping) {
  auto head = mapping.created_at.pattern.text_of("\n").value_or("\n");
  head.resize(head.find('\n'));
  return head;
}

// Whether the item is in the list of the index in which its comment belongs.
std::string misplaced(const ListIndex& index, const Item& item, const Comment& comment) {
  const auto& place = indexes[index_by(index.key.keyed())];
  auto list = list_of(place, cell(comment.language, comment.rating));
  auto wanted = index.key.key_of(comment.product, list);
  auto key = item.find(index.partition);
  if (key != item.end() && key->second.text == wanted) return {};
  return fmt::format("Its {} is not {}, as its fields say: pages by [[index]] leave it out.",
                     index.partition, wanted);
}

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
  if (!reading.comment || !table.has_lists()) return reading.reason;
  const auto& key = item.at(table.lists.front()->sort);
  if (!sorts_by_time(table.mapping, key, *reading.comment)) {
    auto head =
        head_of(table.mapping) + moment_text(table.mapping.time, reading.comment->created_ms());
    return fmt::format(
        "It does not sort by its time, as a key that begins with {} would: pages by [[index]] "
        "leave it out.",
        head);
  }
  for (const auto& index : table.lists) {
    auto reason = index ? misplaced(*index, item, *reading.comment) : std::string();
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace quire::adopted
