#include "store/dynamodb/adopted/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "base/ensure.h"
#include "base/try.h"
#include "store/dynamodb/adopted/mapping/record.h"

namespace quire::adopted {
namespace {

using dynamodb::Key;
using dynamodb::TableDescription;
using dynamodb::Type;

Error unfit(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "store"};
}

const dynamodb::IndexDescription* index_named(const TableDescription& table,
                                              std::string_view name) {
  auto at = std::find_if(table.indexes.begin(), table.indexes.end(),
                         [&](const auto& index) { return index.name == name; });
  return at == table.indexes.end() ? nullptr : &*at;
}

Type type_of(const Key& key) {
  return key.type == "S" ? Type::string : key.type == "N" ? Type::number : Type::other;
}

// Those that the index does not have of its items. It has the keys of the table, too.
std::vector<std::string> missing_in(const dynamodb::IndexDescription& index,
                                    const TableDescription& table, const Mapping& mapping) {
  if (index.projection == "ALL") return {};
  std::set<std::string_view> there(index.projected.begin(), index.projected.end());
  for (const auto* keys : {&index.keys, &table.keys})
    for (const auto& key : *keys) there.insert(key.name);
  std::vector<std::string> out;
  for (const auto& path : mapping.paths) {
    bool has = std::any_of(there.begin(), there.end(),
                           [&](auto attribute) { return leads_to(path, attribute); });
    if (!has) out.push_back(path);
  }
  return out;
}

// The keys of an index or of the table, where they give lists in order of time.
Result<ListIndex> list_index_of(const Mapping& mapping, const MappedIndex& mapped,
                                const std::vector<Key>& keys, std::vector<std::string> missing) {
  auto what = mapped.name.empty() ? "The table" : "The index " + mapped.name;
  if (keys.size() != 2)
    return unfit(what + " has no sort key. Name an index with one under [[index]], or none.");
  const auto &partition = keys[0], &sort = keys[1];
  if (partition.name != mapped.partition || sort.name != mapping.created_at.columns.front()) {
    return unfit(fmt::format(
        "{} has the keys {} and {}. Let its key or product be taken from the one and created_at "
        "from the other, or leave its [[index]] out.",
        what, partition.name, sort.name));
  }
  if (type_of(partition) != Type::string)
    return unfit(what +
                 " cannot be asked by product: its partition key is no text. Leave its [[index]] "
                 "out; a page index gives pages: --pages lmdb:DIR.");
  if (type_of(sort) == Type::other)
    return unfit(what +
                 " cannot be asked by time: its sort key is no text and no number. Leave "
                 "its [[index]] out.");
  if (!pattern_of(mapping.created_at).text_of(""))
    return unfit(what +
                 " is not sorted by time: {rest} comes before {created_at} in the pattern. "
                 "Leave its [[index]] out.");
  return ListIndex{mapped.name, partition.name, mapped.key,
                   sort.name,   type_of(sort),  std::move(missing)};
}

Result<ListIndex> find_list_index(const Mapping& mapping, const MappedIndex& mapped,
                                  const TableDescription& table) {
  if (mapped.name.empty()) return list_index_of(mapping, mapped, table.keys, {});
  const auto* at = index_named(table, mapped.name);
  if (at) {
    auto missing = missing_in(*at, table, mapping);
    // A list is of one product, so its items need not name it.
    if (product_text(mapping, "")) std::erase(missing, mapping.product->columns.front());
    auto list = list_index_of(mapping, mapped, at->keys, std::move(missing));
    if (list) list->all = at->projection == "ALL";
    return list;
  }
  return unfit("The table has no global index " + mapped.name +
               ". Name another under [[index]]; without a name, the table's own key is meant.");
}

Result<std::optional<ById>> find_by_id(const Mapping& mapping, const TableDescription& table) {
  if (!mapping.id) return std::optional<ById>();
  const auto& name = mapping.id->columns.front();
  if (!pattern_of(*mapping.id).is_whole())
    return unfit(
        "The pattern of id has {rest}, so no comment can be found by its id. Leave id out.");
  auto is_key = [&](const std::vector<Key>& keys) {
    return keys[0].name == name && type_of(keys[0]) != Type::other;
  };
  if (is_key(table.keys)) return std::optional(ById{{}, name, type_of(table.keys[0])});
  for (const auto& index : table.indexes)
    if (is_key(index.keys))
      return std::optional(
          ById{index.name, name, type_of(index.keys[0]), missing_in(index, table, mapping)});
  return unfit(fmt::format(
      "{} is the partition key of neither the table nor a global index, so no comment can be found "
      "by it. Take id from another attribute, or leave id out.",
      name));
}

// Leaves out the indexes that the table does not have, and all if none is by product alone then.
void leave_out_missing(Mapping& mapping, const TableDescription& table) {
  auto& named = mapping.indexes;
  std::erase_if(named, [&](const MappedIndex& each) {
    if (each.name.empty() || index_named(table, each.name)) return false;
    spdlog::warn("The table has no global index {}, which the mapping names: it gives no pages.",
                 each.name);
    return true;
  });
  bool whole = std::any_of(named.begin(), named.end(),
                           [](const auto& each) { return each.key.keyed() == FacetSet{}; });
  if (!whole) named.clear();
}

// "arn:aws:dynamodb:eu-west-1:1:table/T" of "arn:aws:dynamodb:eu-west-1:1:table/T/stream/2026".
std::string_view table_in(std::string_view stream) {
  return stream.substr(0, stream.find("/stream/"));
}

}  // namespace

bool AdoptedTable::new_images() const {
  return stream_view == "NEW_AND_OLD_IMAGES" || stream_view == "NEW_IMAGE";
}

bool AdoptedTable::old_images() const {
  return stream_view == "NEW_AND_OLD_IMAGES" || stream_view == "OLD_IMAGE";
}

std::string AdoptedTable::followed_name() const {
  return fmt::format("{} {} {}", stream, created, mapping.fingerprint);
}

std::string AdoptedTable::misfit(const std::string& followed) const {
  auto print = " " + mapping.fingerprint, made = " " + created + print;
  bool mapped = followed.ends_with(print);
  if (!mapped) return "The page index was built under another mapping: run quire backfill.";
  bool same =
      followed.ends_with(made) && (stream.empty() || table_in(followed) == table_in(stream));
  if (same) return {};
  return "The page index was not built for this table, which may have been restored or made again: "
         "run quire backfill.";
}

Error no_stream(std::string_view table) {
  return unfit(fmt::format(
      "The table has no stream, so no page index can follow it. Its owner can switch one "
      "on: aws dynamodb update-table --table-name {} --stream-specification "
      "StreamEnabled=true,StreamViewType=NEW_IMAGE",
      table));
}

std::string AdoptedTable::about_stream() const {
  if (new_images() && old_images())
    return "The table's stream has new and old images: changes are applied as they come, and "
           "records of other items are passed over.";
  if (new_images())
    return "The table's stream has new images: changes are applied as they come. The page index "
           "knows what was before.";
  return "The table's stream (" + stream_view +
         ") has no new images: each change costs a consistent read of its item.";
}

std::vector<std::string> AdoptedTable::about_indexes() const {
  std::vector<std::string> out;
  for (const auto& list : lists) {
    if (!list || list->whole()) continue;
    out.push_back(fmt::format(
        "The index {} lacks {}: a page reads each of its comments from the table, which costs half "
        "a unit or more for each. An index that projects what the mapping reads costs half a unit "
        "for each 4 KiB of them.",
        list->index, fmt::join(list->missing, ", ")));
  }
  return out;
}

const ListIndex& AdoptedTable::list_index(const Cell& list) const {
  FacetSet wanted{};
  for (std::size_t facet = 0; facet < facet_count; ++facet) wanted[facet] = list[facet] != any;
  auto has = [&](const std::optional<ListIndex>& each) {
    for (std::size_t facet = 0; facet < facet_count; ++facet)
      if (each && each->key.keyed()[facet] && !wanted[facet]) return false;
    return each.has_value();
  };
  // Behind come those of more facets.
  auto found = std::find_if(lists.rbegin(), lists.rend(), has);
  QUIRE_ENSURE(found != lists.rend());
  return **found;
}

Result<AdoptedTable> fit(Mapping mapping, TableDescription described) {
  decltype(AdoptedTable::lists) lists;
  for (const auto& mapped : mapping.indexes) {
    TRY(auto found, find_list_index(mapping, mapped, described));
    lists[index_by(mapped.key.keyed())] = std::move(found);
  }
  TRY(auto by_id, find_by_id(mapping, described));
  AdoptedTable table{std::move(mapping), {described.keys[0].name}};
  if (described.keys.size() > 1) table.names.sort = described.keys[1].name;
  table.stream = std::move(described.stream);
  table.stream_view = std::move(described.stream_view);
  table.created = std::move(described.created);
  table.lists = std::move(lists);
  table.by_id = std::move(by_id);
  return table;
}

Awaitable<Result<AdoptedTable>> describe(dynamodb::TableAccess& access, Mapping mapping,
                                         bool beside) {
  auto call = dynamodb::describe_table(access.client.table());
  auto answer = co_await access.loop.run(access.client.send(std::move(call)));
  if (answer.failure) co_return error_of(*answer.failure);
  auto described = dynamodb::decode_table(answer.body);
  if (!described) co_return dynamodb::damaged_answer();
  if (beside) leave_out_missing(mapping, *described);
  co_return fit(std::move(mapping), std::move(*described));
}

Awaitable<Status> look_at_lists(dynamodb::TableAccess& access, const AdoptedTable& table) {
  auto call = dynamodb::describe_table(access.client.table());
  auto answer = co_await access.loop.run(access.client.send(std::move(call)));
  if (answer.failure) co_return error_of(*answer.failure);
  auto described = dynamodb::decode_table(answer.body);
  if (!described) co_return dynamodb::damaged_answer();
  for (std::size_t i = 0; i < table.lists.size(); ++i) {
    const auto* index = table.lists[i] ? index_named(*described, table.lists[i]->index) : nullptr;
    access.filling.note(i, index && index->status == "CREATING");
  }
  co_return Done{};
}

dynamodb::Damage damage_of(const AdoptedTable& table, const dynamodb::Item& item,
                           std::string reason) {
  auto key = key_in(table.names, item);
  return {key ? boost::json::serialize(dynamodb::encode(*key)) : "", std::move(reason)};
}

}  // namespace quire::adopted
