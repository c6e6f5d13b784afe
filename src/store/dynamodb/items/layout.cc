#include "store/dynamodb/items/layout.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/text.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/counts.h"
#include "model/document.h"
#include "model/validate.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

constexpr std::string_view statistics_prefix = "S#";
constexpr std::string_view five_star_board = "LEADERS", average_board = "AVERAGE";

void set(Item& item, std::string_view name, std::string text) {
  item.emplace(name, string(std::move(text)));
}

std::string data_of(const Comment& comment) {
  json::object data{{"author", comment.author}, {"title", comment.title}, {"text", comment.text}};
  std::string text = json::serialize(data);
  text.pop_back();
  if (!comment.attributes.empty()) {
    text += ",\"attributes\":";
    append_json(text, comment.attributes);
  }
  append_media(text, comment.media);
  append_reply(text, comment.reply);
  if (!comment.published()) {  // no index key names it
    text += ",\"product\":";
    append_json_string(text, comment.product);
  }
  append_moderation(text, comment.moderation, Members::kept);
  if (comment.customer) text += ",\"customer\":\"" + comment.customer->text() + '"';
  return text + '}';
}

}  // namespace

std::size_t index_of(const Cell& list) {
  std::size_t i = 0;
  while (list_of(indexes[i], list) != list) ++i;
  return i;
}

Item key_of(std::string partition, std::string sort) {
  return {{"PK", string(std::move(partition))}, {"SK", string(std::move(sort))}};
}

std::string name_of(const Item& item) {
  return item.at("PK").text + " " + item.at("SK").text;
}

Item key_in(const Item& item) {
  return key_of(item.at("PK").text, item.at("SK").text);
}

std::optional<std::string> product_in(const Item& item) {
  auto key = text_of(item, "PK");
  if (!key || !key->starts_with(product_prefix)) return {};
  auto encoded = key->substr(product_prefix.size());
  auto product = percent_decode(encoded);
  if (!product || percent_encode(*product) != encoded) return {};
  return product;
}

bool is_leader(const Item& item) {
  auto board = text_of(item, partition_attributes.back()).value_or("");
  board = board.substr(0, board.find_first_of("#/"));
  return board == five_star_board || board == average_board;
}

Item comment_key(const Ulid& id) {
  std::string key = std::string(comment_prefix) + id.text();
  return key_of(key, key);
}

Item list_keys(const Comment& comment, const ListParts& parts, const Item* before) {
  Item keys;
  set(keys, sort_attribute, comment.id.text());
  if (!comment.published()) {
    set(keys, queue_attribute, queue_partition(comment.moderation.status));
    return keys;
  }
  Cell values = cell(comment.language, comment.rating);
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto list = list_of(indexes[i], values);
    auto is = before ? text_of(*before, partition_attributes[i]) : std::nullopt;
    auto part = is ? part_in(*is, list_key(comment.product, list)) : std::nullopt;
    if (!part || *part >= parts.read[i]) part = part_of(comment.id, parts.written[i]);
    set(keys, partition_attributes[i], list_key(comment.product, list, *part));
  }
  return keys;
}

Item comment_item(const Comment& comment, const ListParts& parts, const Item* before) {
  Item item = comment_key(comment.id);
  item.merge(list_keys(comment, parts, before));
  set(item, "language", comment.language);
  item.emplace("rating", number(static_cast<std::uint64_t>(comment.rating)));
  set(item, "data", data_of(comment));
  return item;
}

Item removed_item(const Ulid& id) {
  Item item = comment_key(id);
  item.emplace(removed_attribute, number(1));
  return item;
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
std::size_t billed_bytes(const Item& item) {
  std::size_t bytes = 0;
  for (const auto& [name, attribute] : item) {
    bool is_number = attribute.type == Type::number;
    bytes +=
        name.size() + (is_number ? billed_number(attribute.text.size()) : attribute.text.size());
  }
  return bytes;
}

Status check_size(const Comment& comment) {
  // Room for the attribute of votes, and for the names that keep the first answer to a request.
  constexpr std::size_t max_bytes = 400 * 1024 - 1024;
  if (billed_bytes(comment_item(comment)) <= max_bytes) return Done{};
  return invalid_comment(
      {{"text",
        "is too long, together with the reply and the other texts: a table keeps at most "
        "400 KB of a comment"}});
}

Item resume_key(std::string_view product, const Cell& list, const Ulid& after, std::size_t part) {
  Item key = comment_key(after);
  set(key, partition_attributes[index_of(list)], list_key(product, list, part));
  set(key, sort_attribute, after.text());
  return key;
}

Call list_query(const std::string& table, std::string_view product, Order order, const Range& range,
                std::optional<Item> start) {
  auto i = index_of(range.list);
  QueryArguments arguments{.table = table,
                           .index = std::string(indexes[i].name),
                           .partition_name = std::string(partition_attributes[i]),
                           .partition = list_key(product, range.list, range.part),
                           .forward = order == Order::oldest_first,
                           .limit = range.limit};
  if (range.after) arguments.start = resume_key(product, range.list, *range.after, range.part);
  if (start) arguments.start = std::move(start);
  return query(arguments);
}

Item statistics_key(std::string_view product, FacetValue language) {
  std::string sort = "S";
  if (language != any) sort += "#" + list_facets[language_facet].text(language);
  return key_of(list_key(product, Cell{}), sort);
}

// By FNV-1a, so that every process finds the same shard.
std::size_t leader_shard(std::string_view product, std::size_t shards) {
  std::uint32_t hash = 2166136261u;
  for (unsigned char byte : product) hash = (hash ^ byte) * 16777619u;
  return hash % shards;
}

std::string leaders_partition(Leaders by, FacetValue language, std::size_t shard) {
  std::string name(by == Leaders::five_star ? five_star_board : average_board);
  if (language != any) name += "#" + list_facets[language_facet].text(language);
  return shard == 0 ? name : fmt::format("{}/{}", name, shard);
}

Item average_key(std::string_view product, FacetValue language) {
  std::string sort = "A";
  if (language != any) sort += "#" + list_facets[language_facet].text(language);
  return key_of(list_key(product, Cell{}), sort);
}

std::optional<Item> average_item(std::string_view product, FacetValue language,
                                 const RatingCounts& counts, std::size_t leader_shards) {
  if (total(counts) == 0) return {};
  Item item = average_key(product, language);
  auto shard = leader_shard(product, leader_shards);
  set(item, "GSIPK", leaders_partition(Leaders::average, language, shard));
  set(item, sort_attribute, fmt::format("{:.4f}", adjusted_average(counts)));
  return item;
}

Item statistics_item(std::string_view product, FacetValue language, const RatingCounts& counts,
                     std::size_t leader_shards) {
  Item item = statistics_key(product, language);
  for (std::size_t i = 0; i < counts.size(); ++i)
    item.emplace(fmt::format("count_{}", i + 1), number(counts[i]));
  item.emplace("count_total", number(total(counts)));
  if (counts[4] > 0) {
    auto shard = leader_shard(product, leader_shards);
    set(item, "GSIPK", leaders_partition(Leaders::five_star, language, shard));
    set(item, sort_attribute, fmt::format("{:012}", counts[4]));
  }
  return item;
}

QueryArguments statistics_of(const std::string& table, std::string_view product, bool consistent) {
  return {.table = table,
          .partition_name = "PK",
          .partition = list_key(product, Cell{}),
          .consistent = consistent};
}

void add_statistics(Totals& totals, const Item& item) {
  auto sort = text_of(item, "SK");
  if (!sort) return;
  FacetValue language = any;
  if (*sort != "S") {
    if (!sort->starts_with(statistics_prefix)) return;
    auto parsed = list_facets[language_facet].parse(sort->substr(statistics_prefix.size()));
    if (!parsed) return;
    language = *parsed;
  }
  RatingCounts& counts = totals[language];
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = number_of(item, fmt::format("count_{}", i + 1)).value_or(0);
}

Expression absent() {
  return {"attribute_not_exists(#k)", {{"#k", "PK"}}, {}};
}

Expression has_version(std::uint64_t version) {
  if (version == 0) return absent();
  return {"#v = :v", {{"#v", "version"}}, {{":v", number(version)}}};
}

Expression unchanged(const Item& item, std::span<const std::string> attributes) {
  Expression out;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    std::string name = fmt::format("#{}", static_cast<char>('a' + i));
    std::string value = fmt::format(":{}", static_cast<char>('a' + i));
    if (i > 0) out.text += " AND ";
    out.names[name] = attributes[i];
    auto at = item.find(attributes[i]);
    if (at == item.end()) {
      out.text += "attribute_not_exists(" + name + ")";
    } else {
      out.text.append(name).append(" = ").append(value);
      out.values[value] = at->second;
    }
  }
  return out;
}

}  // namespace quire::dynamodb
