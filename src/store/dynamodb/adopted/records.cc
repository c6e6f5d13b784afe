#include "store/dynamodb/adopted/records.h"

#include <fmt/format.h>

#include <map>

#include "base/try.h"
#include "dynamodb/table_client.h"

namespace quire::adopted {

namespace {

using change::Change;
using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Record;
using dynamodb::Type;

// Whether the record does not tell the item as it was afterwards. The stream may have been of
// another kind when the record was made, so the record itself counts.
bool lacks_image(const AdoptedTable& table, const Record& record) {
  return record.after.empty() && (record.kind != Record::Kind::remove || !table.new_images());
}

// The items that records lack, by consistent reads: a record must not be applied as the item was
// before it. Items that are gone are not there.
Awaitable<Result<std::map<Item, Item>>> items_now(dynamodb::TableAccess& access,
                                                  const AdoptedTable& table,
                                                  const std::vector<Record>& records) {
  std::map<Item, Item> found;  // by key
  for (const auto& record : records)
    if (lacks_image(table, record)) found.try_emplace(record.key);
  std::vector<Awaitable<Result<dynamodb::ItemAnswer>>> reads;
  for (const auto& [key, none] : found) reads.push_back(access.client.get(key));
  auto answers = co_await access.loop.run(dynamodb::all_in_groups(std::move(reads)));
  auto answer = answers.begin();
  for (auto& [key, item] : found) {
    if (!*answer) co_return answer->error();
    if ((*answer)->item) item = std::move(*(*answer)->item);
    ++answer;
  }
  co_return found;
}

// The removal of whatever comment the key had.
std::optional<Change> removal(const AdoptedTable& table, const Item& key) {
  auto bytes = encode_key(table.names, key);
  if (!bytes) return {};
  Change change{{}, id_of(0, *bytes)};
  change.key = std::move(*bytes);
  return change;
}

constexpr std::string_view last_character = "\U0010FFFF";

// What stands before the time in each key.
std::string head_of(const Mapping& mapping) {
  auto head = pattern_of(mapping.created_at).text_of("\n").value_or("\n");
  head.resize(head.find('\n'));
  return head;
}

// Whether the item is in the list of the index in which its comment belongs.
std::string misplaced(const ListIndex& index, const Item& item, const Comment& comment, bool all) {
  const auto& place = indexes[index_by(index.key.keyed())];
  auto list = list_of(place, cell(comment.language, comment.rating));
  auto wanted = index.key.key_of(comment.product, list);
  auto key = item.find(index.partition);
  if (key == item.end() ? !all : key->second.text == wanted) return {};
  return fmt::format("Its {} is not {}, as its fields say: pages by [[index]] leave it out.",
                     index.partition, wanted);
}

}  // namespace

std::optional<Change> change_of(Reading reading) {
  if (!reading.comment) return {};
  Change change{reading.comment->product, reading.comment->id};
  change.to.emplace(std::move(*reading.comment));
  change.key = std::move(reading.key);
  return change;
}

Awaitable<Result<std::vector<Change>>> changes_of(dynamodb::TableAccess& access,
                                                  const AdoptedTable& table,
                                                  std::vector<Record> records) {
  CO_TRY(auto now, co_await items_now(access, table, records));
  std::vector<Change> changes;
  for (auto& record : records) {
    const Item& after = lacks_image(table, record) ? now[record.key] : record.after;
    Reading reading;
    if (!after.empty()) reading = table.read(after);
    if (!reading.reason.empty()) access.damaged.note(damage_of(table, after, reading.reason));
    auto change = change_of(std::move(reading));
    // An old image tells whether there was a comment at all.
    bool other = table.old_images() && !admits(table.mapping, record.before);
    if (!change && !other) change = removal(table, record.key);
    if (!change) continue;
    change->sequence = std::move(record.sequence);
    changes.push_back(std::move(*change));
  }
  co_return changes;
}

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
  auto kind = mapping.time.kind;
  std::size_t digits = kind == TimeFormat::Kind::epoch_s ? 10 : 13;
  if (kind != TimeFormat::Kind::iso8601 && moment_text(mapping.time, ms).size() != digits)
    return false;
  auto from = bounds_of(mapping, key.type, Order::oldest_first, ms).from;
  auto to = bounds_of(mapping, key.type, Order::newest_first, ms).to;
  return from->text <= key.text && key.text <= to->text;
}

std::string damage_in(const AdoptedTable& table, const Item& item, const Reading& reading,
                      bool all) {
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
    auto reason = index ? misplaced(*index, item, *reading.comment, all) : std::string();
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace quire::adopted
