#include "store/dynamodb/adopted/table.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/json.hpp>

namespace quire::adopted {
namespace {

using dynamodb::Key;
using dynamodb::TableDescription;
using dynamodb::Type;

Error unfit(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "store"};
}

Type type_of(const Key& key) {
  return key.type == "S" ? Type::string : key.type == "N" ? Type::number : Type::other;
}

// The keys of an index or of the table, where they give product and time.
Result<ByTime> by_time(const Mapping& mapping, const std::string& name,
                       const std::vector<Key>& keys, bool whole) {
  auto what = name.empty() ? "The table" : "The index " + name;
  if (keys.size() != 2)
    return unfit(what + " has no sort key. Name an index with one under [index], or none.");
  const auto &partition = keys[0], &sort = keys[1];
  if (partition.name != mapping.product.attribute || sort.name != mapping.created_at.attribute) {
    return unfit(
        fmt::format("{} has the keys {} and {}. Let product be taken from the one and "
                    "created_at from the other, or leave [index] out.",
                    what, partition.name, sort.name));
  }
  if (type_of(partition) != Type::string)
    return unfit(what +
                 " cannot be asked by product: its partition key is no text. Leave [index] out; a "
                 "page index gives pages: --pages lmdb:DIR.");
  if (!mapping.product.pattern.is_whole() || type_of(sort) == Type::other)
    return unfit(what +
                 " cannot be asked by product and time: its keys hold more. Leave [index] "
                 "out.");
  if (!mapping.created_at.pattern.text_of(""))
    return unfit(what +
                 " is not sorted by time: {rest} comes before {created_at} in the pattern. "
                 "Leave [index] out.");
  return ByTime{name, partition.name, type_of(partition), sort.name, type_of(sort), whole};
}

Result<std::optional<ByTime>> find_by_time(const Mapping& mapping, const TableDescription& table) {
  if (!mapping.index) return std::optional<ByTime>();
  Result<ByTime> found = unfit("");
  if (mapping.index->empty()) {
    found = by_time(mapping, {}, table.keys, true);
  } else {
    auto at = std::find_if(table.indexes.begin(), table.indexes.end(),
                           [&](const auto& index) { return index.name == *mapping.index; });
    if (at == table.indexes.end())
      return unfit("The table has no global index " + *mapping.index +
                   ". Name another under [index]; without a name, the table's own key is meant.");
    found = by_time(mapping, at->name, at->keys, at->projection == "ALL");
  }
  if (!found) return found.error();
  return std::optional(std::move(*found));
}

Result<std::optional<ById>> find_by_id(const Mapping& mapping, const TableDescription& table) {
  const auto& name = mapping.id.attribute;
  if (name.empty()) return std::optional<ById>();
  if (!mapping.id.pattern.is_whole())
    return unfit(
        "The pattern of id has {rest}, so no comment can be found by its id. Leave id out.");
  auto is_key = [&](const std::vector<Key>& keys) {
    return keys[0].name == name && type_of(keys[0]) != Type::other;
  };
  if (is_key(table.keys)) return std::optional(ById{{}, name, type_of(table.keys[0])});
  for (const auto& index : table.indexes)
    if (is_key(index.keys))
      return std::optional(
          ById{index.name, name, type_of(index.keys[0]), index.projection == "ALL"});
  return unfit(fmt::format(
      "{} is the partition key of neither the table nor a global index, so no comment can be found "
      "by it. Take id from another attribute, or leave id out.",
      name));
}

// Whether the mapping names an index that the table does not have.
bool lacks_index(const Mapping& mapping, const TableDescription& table) {
  if (!mapping.index || mapping.index->empty()) return false;
  return std::none_of(table.indexes.begin(), table.indexes.end(),
                      [&](const auto& index) { return index.name == *mapping.index; });
}

// "arn:aws:dynamodb:eu-west-1:1:table/T" of "arn:aws:dynamodb:eu-west-1:1:table/T/stream/2026".
std::string_view table_in(std::string_view stream) {
  return stream.substr(0, stream.find("/stream/"));
}

}  // namespace

bool Table::new_images() const {
  return stream_view == "NEW_AND_OLD_IMAGES" || stream_view == "NEW_IMAGE";
}

bool Table::old_images() const {
  return stream_view == "NEW_AND_OLD_IMAGES" || stream_view == "OLD_IMAGE";
}

bool Table::fits(const std::string& followed) const {
  bool same_table = stream.empty() || table_in(followed) == table_in(stream);
  return same_table && followed.ends_with(" " + mapping.print);
}

Error another_mapping() {
  return {ErrorCode::unavailable,
          "The page index was built under another mapping: run quire backfill --again."};
}

Error no_stream(std::string_view table) {
  return unfit(fmt::format(
      "The table has no stream, so no page index can follow it. Its owner can switch one "
      "on: aws dynamodb update-table --table-name {} --stream-specification "
      "StreamEnabled=true,StreamViewType=NEW_IMAGE",
      table));
}

std::string Table::about_stream() const {
  if (new_images() && old_images())
    return "The table's stream has new and old images: changes are applied as they come, and "
           "records of other items are passed over.";
  if (new_images())
    return "The table's stream has new images: changes are applied as they come. The page index "
           "knows what was before.";
  return "The table's stream (" + stream_view +
         ") has no new images: each change costs a consistent read of its item.";
}

Result<Table> fit(Mapping mapping, TableDescription described) {
  auto sorted = find_by_time(mapping, described);
  if (!sorted) return sorted.error();
  auto by_id = find_by_id(mapping, described);
  if (!by_id) return by_id.error();
  Table table{std::move(mapping), {described.keys[0].name}};
  if (described.keys.size() > 1) table.names.sort = described.keys[1].name;
  table.stream = std::move(described.stream);
  table.stream_view = std::move(described.stream_view);
  table.by_time = std::move(*sorted);
  table.by_id = std::move(*by_id);
  return table;
}

Awaitable<Result<Table>> describe(dynamodb::TableAccess& access, Mapping mapping, bool beside) {
  auto call = dynamodb::describe_table(access.client.table());
  auto answer = co_await access.loop.run(access.client.send(std::move(call)));
  if (answer.failure) co_return error_of(*answer.failure);
  auto described = dynamodb::decode_table(answer.body);
  if (!described) co_return dynamodb::damaged_answer();
  if (beside && lacks_index(mapping, *described)) {
    spdlog::warn(
        "The table has no global index {}, which [index] names. The page index alone gives pages.",
        *mapping.index);
    mapping.index.reset();
  }
  co_return fit(std::move(mapping), std::move(*described));
}

dynamodb::Damage damage_of(const Table& table, const dynamodb::Item& item, std::string reason) {
  auto key = key_in(table.names, item);
  return {key ? boost::json::serialize(dynamodb::encode(*key)) : "", std::move(reason)};
}

}  // namespace quire::adopted
