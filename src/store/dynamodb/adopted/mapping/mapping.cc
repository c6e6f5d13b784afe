#include "store/dynamodb/adopted/mapping/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "model/attributes.h"
#include "model/moderation.h"
#include "toml/toml_reader.h"

namespace quire::adopted {
namespace {

constexpr std::string_view field_form = R"({ attribute = "NAME" })";

std::string form_of(std::string_view name) {
  return fmt::format("{} = {}", name, field_form);
}

// The default: a text, which may be empty, or a whole number.
std::optional<std::string> fallback_in(TomlReader& reader, const toml::table& table) {
  const auto* node = table.get("default");
  if (!node) return {};
  if (auto text = node->value_exact<std::string>()) return text;
  if (auto number = node->value_exact<std::int64_t>()) return std::to_string(*number);
  reader.refuse(*node, "default is a text in quotes, or a whole number.");
  return {};
}

void read_pattern(TomlReader& reader, const toml::table& table, std::string_view name,
                  Field& field) {
  auto text = reader.text(table, "pattern");
  if (!text) return;
  auto pattern = Pattern::parse(*text, name);
  if (!pattern)
    reader.refuse(*table.get("pattern"), pattern.error().message);
  else
    field.pattern = std::move(*pattern);
}

// What the owner's words for a status mean.
void read_values(TomlReader& reader, const toml::table& table, Field& field) {
  const auto* values =
      reader.table(table, "values", R"(values = { approved = "published", "*" = "pending" })");
  if (!values) return;
  for (const auto& [key, value] : *values) {
    auto status = value.value_exact<std::string>();
    if (!status || !parse_status(*status))
      return reader.refuse(value, "A value of status means published, pending or rejected.");
    field.values.emplace(key.str(), *status);
  }
}

struct FieldKind {
  std::string_view name;
  Field Mapping::*field;
  bool in_key = false;  // it may have a pattern, and cannot have a default
  std::optional<std::string_view> left_out = {};
};
constexpr FieldKind kinds[] = {{"product", &Mapping::product, true},
                               {"created_at", &Mapping::created_at, true},
                               {"language", &Mapping::language, false, "und"},
                               {"rating", &Mapping::rating},
                               {"author", &Mapping::author, false, ""},
                               {"title", &Mapping::title, false, ""},
                               {"text", &Mapping::text, false, ""},
                               {"status", &Mapping::status, false, "published"},
                               {"id", &Mapping::id, true, ""}};

void read_field(TomlReader& reader, const toml::table& comment, const FieldKind& kind,
                Field& field) {
  const auto* table = reader.table(comment, kind.name, form_of(kind.name));
  if (!table) {
    if (!kind.left_out)
      reader.refuse(comment,
                    fmt::format("[comment] needs {}. Write {}.", kind.name, form_of(kind.name)));
    else
      field.fallback = *kind.left_out;
    return;
  }
  std::set<std::string_view> names = {"attribute", kind.in_key ? "pattern" : "default"};
  if (kind.name == "created_at") names.insert("format");
  if (kind.name == "status") names.insert("values");
  reader.expect(*table, kind.name, names);
  field.attribute = reader.text(*table, "attribute").value_or("");
  if (kind.in_key) read_pattern(reader, *table, kind.name, field);
  if (!kind.in_key) field.fallback = fallback_in(reader, *table);
  if (kind.name == "status") read_values(reader, *table, field);
  if (field.attribute.empty() && !field.fallback)
    reader.refuse(*table,
                  fmt::format("{} needs an attribute. Write {}.", kind.name, form_of(kind.name)));
}

void read_format(TomlReader& reader, const toml::table& comment, Mapping& mapping) {
  const auto* table = comment.get_as<toml::table>("created_at");
  auto text = table ? reader.text(*table, "format") : std::nullopt;
  if (!text || *text == "iso8601") return;
  auto form = time_form_of(*text);
  if (*text == "epoch_s")
    mapping.time.format = TimeFormat::epoch_s;
  else if (*text == "epoch_ms")
    mapping.time.format = TimeFormat::epoch_ms;
  else if (form)
    mapping.time = *form;
  else
    reader.refuse(*table->get("format"),
                  "format is iso8601, epoch_s, epoch_ms, or a time as your programs write it, such "
                  "as \"2021-08-25 13:00\".");
}

void read_when(TomlReader& reader, const toml::table& comment, Mapping& mapping) {
  const auto* table =
      reader.table(comment, "when", R"(when = { attribute = "SK", begins = "REVIEW#" })");
  if (!table) return;
  reader.expect(*table, "when", {"attribute", "begins"});
  auto attribute = reader.text(*table, "attribute"), begins = reader.text(*table, "begins");
  if (attribute && begins)
    mapping.when = When{*attribute, *begins};
  else
    reader.refuse(*table, R"(when needs both: when = { attribute = "SK", begins = "REVIEW#" }.)");
}

void read_attributes(TomlReader& reader, const toml::table& file, Mapping& mapping) {
  const auto* attributes = reader.table(file, "attributes", "[attributes]");
  if (!attributes) return;
  for (const auto& [key, value] : *attributes) {
    const auto* table = value.as_table();
    if (!is_attribute_name(key.str()) || !table) {
      reader.refuse(value, fmt::format("An attribute is NAME = {}, and NAME is of a-z, 0-9 and _, "
                                       "with a letter first, at most 32.",
                                       field_form));
      return;
    }
    if (is_reserved(key.str()) || (key.str() == id_attribute && !mapping.id.attribute.empty())) {
      reader.refuse(
          value, fmt::format("Quire keeps the name {} for itself. Write another name.", key.str()));
    }
    reader.expect(*table, key.str(), {"attribute"});
    auto attribute = reader.text(*table, "attribute");
    if (!attribute) reader.refuse(*table, fmt::format("Write {}.", form_of(key.str())));
    mapping.attributes.emplace(key.str(), attribute.value_or(""));
  }
  if (mapping.attributes.size() > 32)
    reader.refuse(*attributes, "A comment has at most 32 attributes.");
}

// Without a `key` of its own, it is that of the product.
std::optional<MappedIndex> index_in(TomlReader& reader, const toml::table& index,
                                    const toml::table& product) {
  reader.expect(index, "[[index]]", {"name", "key"});
  const auto* own = reader.table(
      index, "key", R"(key = { attribute = "GSI2PK", pattern = "{product}/{language}" })");
  if (own) reader.expect(*own, "key", {"attribute", "pattern"});
  const auto& key = own ? *own : product;
  auto attribute = reader.text(key, "attribute");
  if (!attribute) {
    if (own) reader.refuse(*own, "key needs an attribute: the partition key of the index.");
    return {};
  }
  auto pattern = KeyPattern::parse(reader.text(key, "pattern").value_or("{product}"));
  if (!pattern) {
    reader.refuse(key, pattern.error().message);
    return {};
  }
  return MappedIndex{reader.text(index, "name").value_or(""), *attribute, std::move(*pattern)};
}

// A single index may be written [index].
void read_indexes(TomlReader& reader, const toml::table& file, Mapping& mapping) {
  const auto* node = file.get("index");
  if (!node) return;
  toml::array one;
  if (node->is_table()) one.push_back(*node->as_table());
  const auto* all = node->is_table() ? &one : node->as_array();
  const auto* product = file["comment"]["product"].as_table();
  if (!all || !all->is_homogeneous<toml::table>())
    return reader.refuse(*node, "Write [[index]] above each index.");
  for (const auto& each : *all) {
    auto index = product ? index_in(reader, *each.as_table(), *product) : std::nullopt;
    if (!index) continue;
    for (const auto& other : mapping.indexes)
      if (other.key.keyed() == index->key.keyed())
        reader.refuse(*node, "Two indexes have keys of the same facets. Leave one out.");
    mapping.indexes.push_back(std::move(*index));
  }
  bool whole = std::any_of(mapping.indexes.begin(), mapping.indexes.end(),
                           [](const auto& each) { return each.key.keyed() == FacetSet{}; });
  if (!whole && !mapping.indexes.empty())
    reader.refuse(*node,
                  "No index is by product alone, so nothing gives pages of all comments. Name "
                  "one, or leave [[index]] out.");
}

Mapping read_file(TomlReader& reader, const toml::table& file) {
  Mapping mapping;
  reader.expect(file, "The file", {"comment", "attributes", "index"});
  const auto* comment = reader.table(file, "comment", "[comment]");
  if (!comment) {
    reader.refuse("The section [comment] is missing. quire table map prints a first mapping.");
    return mapping;
  }
  std::set<std::string_view> names = {"when"};
  for (const auto& kind : kinds) names.insert(kind.name);
  reader.expect(*comment, "[comment]", names);
  for (const auto& kind : kinds) read_field(reader, *comment, kind, mapping.*kind.field);
  read_format(reader, *comment, mapping);
  read_when(reader, *comment, mapping);
  read_attributes(reader, file, mapping);
  read_indexes(reader, file, mapping);
  return mapping;
}

}  // namespace

Result<Mapping> parse_mapping(std::string_view toml, std::string_view name) {
  TomlReader reader{std::string(name)};
  Mapping mapping;
  if (auto file = reader.parse(toml)) mapping = read_file(reader, *file);
  auto faults = reader.faults();
  if (!faults.empty())
    return Error{ErrorCode::invalid_parameter, std::move(faults.front()), "store"};
  mapping.fingerprint = sha256_hex(toml).substr(0, 16);
  return mapping;
}

}  // namespace quire::adopted
