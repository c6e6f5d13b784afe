#include "store/dynamodb/adopted/records.h"

#include <map>

#include "dynamodb/client.h"

namespace quire::adopted {
namespace {

using change::Change;
using dynamodb::Item;
using dynamodb::Record;

// Whether the record does not tell the item as it was afterwards. The stream may have been of
// another kind when the record was made, so the record itself counts.
bool lacks_image(const Table& table, const Record& record) {
  return record.after.empty() && (record.what != Record::What::remove || !table.new_images());
}

// The items that records lack, by consistent reads: a record must not be applied as the item was
// before it. Items that are gone are not there.
Awaitable<Result<std::map<Item, Item>>> items_now(dynamodb::TableAccess& access, const Table& table,
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
std::optional<Change> removal(const Table& table, const Item& key) {
  auto bytes = encode_key(table.names, key);
  if (!bytes) return {};
  Change change{{}, id_of(0, *bytes)};
  change.key = std::move(*bytes);
  return change;
}

}  // namespace

std::optional<Change> change_of(Reading reading) {
  if (!reading.comment) return {};
  auto& comment = *reading.comment;
  Change change{std::move(comment.product), comment.id};
  change.to.emplace(cell(comment.language, comment.rating), std::move(comment.attributes));
  change.key = std::move(reading.key);
  return change;
}

Awaitable<Result<std::vector<Change>>> changes_of(dynamodb::TableAccess& access, const Table& table,
                                                  std::vector<Record> records) {
  auto now = co_await items_now(access, table, records);
  if (!now) co_return now.error();
  std::vector<Change> changes;
  for (auto& record : records) {
    const Item& after = lacks_image(table, record) ? (*now)[record.key] : record.after;
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

}  // namespace quire::adopted
