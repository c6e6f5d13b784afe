#include "store/dynamodb/items/parts_item.h"

#include <boost/json.hpp>

#include <algorithm>

#include "base/text.h"
#include "dynamodb/item.h"
#include "model/validate.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {

Item facets_key() {
  return key_of("FACETS", "FACETS");
}

Item facets_item(const TableFacets& facets) {
  Item item = facets_key();
  item.emplace("version", number(facets.version));
  item.emplace("next", number(facets.next));
  item.emplace("facets", string(encode_schema(facets.schema)));
  return item;
}

std::optional<TableFacets> read_facets(const Item& item) {
  auto version = number_of(item, "version"), next = number_of(item, "next");
  auto text = text_of(item, "facets");
  auto schema = text ? decode_schema(*text) : std::nullopt;
  if (!version || !next || !schema || *version == 0 || *next > no_facet) return {};
  if (*next <= schema->facets().back().number) return {};
  return TableFacets{*version, static_cast<FacetNumber>(*next), std::move(*schema)};
}

namespace {

namespace json = boost::json;

constexpr std::string_view mark = "#part";

std::optional<std::size_t> index_named(std::string_view name) {
  auto at = std::find_if(indexes.begin(), indexes.end(),
                         [&](const Index& index) { return index.name == name; });
  if (at == indexes.end()) return {};
  return static_cast<std::size_t>(at - indexes.begin());
}

std::optional<std::uint8_t> count_in(const json::object& row, std::string_view name) {
  auto* value = row.if_contains(name);
  auto* count = value ? value->if_int64() : nullptr;
  if (!count || *count < 1 || *count > max_parts) return {};
  return static_cast<std::uint8_t>(*count);
}

bool add(TableParts& parts, const json::value& value) {
  auto* row = value.if_object();
  if (!row) return false;
  auto index = index_named(text_in(*row, "index"));
  auto written = count_in(*row, "written"), read = count_in(*row, "read");
  auto product = text_in(*row, "product");
  bool wrong = row->contains("product") && !is_product_name(product);
  if (!index || !written || !read || *read < *written || wrong) return false;
  return parts.rows.emplace(std::pair(product, *index), TableParts::Declaration{*written, *read})
      .second;
}

}  // namespace

ListParts TableParts::of(std::string_view product) const {
  ListParts out;
  if (rows.empty()) return out;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    for (const auto& name : {std::string(), std::string(product)}) {
      auto at = rows.find({name, i});
      if (at == rows.end()) continue;
      out.written[i] = at->second.written;
      out.read[i] = std::max(out.read[i], at->second.read);
    }
  }
  return out;
}

TableParts all_parts() {
  TableParts out;
  for (std::size_t i = 0; i < indexes.size(); ++i) out.rows[{"", i}] = {1, max_parts};
  return out;
}

Item parts_key() {
  return key_of("PARTS", "PARTS");
}

Item parts_item(const TableParts& parts) {
  json::array rows;
  for (const auto& [place, row] : parts.rows) {
    json::object each;
    if (!place.first.empty()) each["product"] = place.first;
    each["index"] = indexes[place.second].name;
    each["written"] = row.written;
    each["read"] = row.read;
    rows.push_back(std::move(each));
  }
  Item item = parts_key();
  item.emplace("version", number(parts.version));
  item.emplace("parts", string(json::serialize(rows)));
  return item;
}

std::optional<TableParts> read_parts(const Item& item) {
  auto version = number_of(item, "version");
  auto text = text_of(item, "parts");
  if (!version || *version == 0 || !text) return {};
  boost::system::error_code no_json;
  auto rows = json::parse(*text, no_json, {}, parse_options);
  if (no_json || !rows.is_array()) return {};
  TableParts out{*version, {}};
  for (const auto& row : rows.get_array()) {
    if (!add(out, row)) return {};
  }
  return out;
}

// By the upper bits of FNV-1a, so that every process finds the same part.
std::size_t part_of(const Ulid& id, std::size_t parts) {
  std::uint32_t hash = 2166136261u;
  for (unsigned char byte : id.view()) hash = (hash ^ byte) * 16777619u;
  return (std::uint64_t{hash} * parts) >> 32;
}

std::optional<std::size_t> part_in(std::string_view key, std::string_view list) {
  if (!key.starts_with(list)) return {};
  key.remove_prefix(list.size());
  if (key.empty()) return 0;
  if (!key.starts_with(mark)) return {};
  key.remove_prefix(mark.size());
  auto part = parse_integer<std::size_t>(key);
  if (!part || *part == 0 || key.front() == '0' || *part >= max_parts) return {};
  return part;
}

std::string_view without_part(std::string_view key) {
  auto list = key.substr(0, key.rfind(mark));
  return part_in(key, list) ? list : key;
}

}  // namespace quire::dynamodb
