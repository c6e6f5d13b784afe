#include "mapping/file_mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.h"
#include "mapping/mapping_toml.h"
#include "model/attributes.h"
#include "product/facts.h"

namespace quire {
namespace {

using OptionalField = std::optional<MappedField> FileMapping::*;

struct CommentField {
  std::string_view name;
  FieldKind kind;
  OptionalField field;
  std::set<std::string_view> more = {};
};

const std::vector<CommentField>& comment_fields() {
  static const std::vector<CommentField> fields = {
      {"id", FieldKind::text, &FileMapping::id},
      {"product", FieldKind::text, &FileMapping::product, {"table"}},
      {"language", FieldKind::text, &FileMapping::language},
      {"author", FieldKind::prose, &FileMapping::author},
      {"title", FieldKind::prose, &FileMapping::title, {"unless_in_text"}},
      {"text", FieldKind::prose, &FileMapping::text},
      {"status", FieldKind::status, &FileMapping::status},
      {"pictures", FieldKind::pictures, &FileMapping::pictures},
      {"customer", FieldKind::text, &FileMapping::customer}};
  return fields;
}

void read_delimiter(TomlReader& reader, const toml::table& section, FileMapping& mapping) {
  auto text = reader.text(section, "delimiter");
  if (!text) return;
  if (*text == "tab") text = "\t";
  if (text->size() == 1)
    mapping.delimiter = text->front();
  else
    reader.refuse(*section.get("delimiter"),
                  R"(delimiter is one character, such as ";", or "tab".)");
}

void read_file_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "file", "[file]");
  if (!section) return;
  reader.expect(*section, "[file]", {"source", "rows", "format", "encoding", "delimiter", "zone"});
  mapping.source = reader.text(*section, "source").value_or("");
  mapping.rows = reader.text(*section, "rows").value_or("");
  mapping.encoding = reader.text(*section, "encoding").value_or("");
  mapping.format = reader.text(*section, "format").value_or("");
  bool known = mapping.format.empty() || mapping.format == "csv" || mapping.format == "json" ||
               mapping.format == "xml";
  if (!known) reader.refuse(*section->get("format"), "format is csv, json or xml.");
  read_delimiter(reader, *section, mapping);
  mapping.zone = zone_in(reader, *section).value_or(Zone());
}

MappedField needed_field(TomlReader& reader, const toml::table& section, std::string_view name,
                         FieldKind kind) {
  auto field = optional_field(reader, section, name, kind);
  if (!field && !section.contains(name))
    reader.refuse(section,
                  fmt::format("[comment] needs {0}. Write {0} = {{ column = \"NAME\" }}.", name));
  return std::move(field).value_or(MappedField());
}

// Of the field that names a product.
void read_product_table(TomlReader& reader, const toml::table& section, FileMapping& mapping) {
  const auto* product = section.get_as<toml::table>("product");
  if (product && product->contains("table"))
    mapping.product_table = reader.text(*product, "table").value_or("");
}

void read_comment_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "comment", "[comment]");
  mapping.has_comments = section;
  if (!section) {
    if (!file.contains("comment") && !(mapping.facts && mapping.facts->product))
      reader.refuse("The section [comment] is missing. quire import FILE --map new proposes one.");
    return;
  }
  std::set<std::string_view> names = {"created_at", "rating", "when"};
  for (const auto& each : comment_fields()) names.insert(each.name);
  reader.expect(*section, "[comment]", names);
  for (const auto& each : comment_fields())
    mapping.*each.field = optional_field(reader, *section, each.name, each.kind, each.more);
  mapping.created_at = needed_field(reader, *section, "created_at", FieldKind::time);
  mapping.rating = needed_field(reader, *section, "rating", FieldKind::rating);
  mapping.when = conditions_in(reader, *section);
  read_product_table(reader, *section, mapping);
}

void read_facts_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "facts", "[facts]");
  if (!section) return;
  std::set<std::string_view> names = {"product", "when"};
  names.insert(std::begin(fact_names), std::end(fact_names));
  reader.expect(*section, "[facts]", names);
  auto& facts = mapping.facts.emplace();
  facts.product = optional_field(reader, *section, "product", FieldKind::text, {"table"});
  read_product_table(reader, *section, mapping);
  for (auto name : fact_names)
    if (auto field = optional_field(reader, *section, name, FieldKind::prose))
      facts.told.emplace_back(name, std::move(*field));
  if (section->contains("when")) facts.when = conditions_in(reader, *section);
  if (!section->contains("name"))
    reader.refuse(*section, R"([facts] needs name. Write name = { column = "NAME" }.)");
}

void read_reply_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "reply", "[reply]");
  if (!section) return;
  reader.expect(*section, "[reply]", {"author", "text", "created_at", "of", "when"});
  auto& reply = mapping.reply;
  reply.author = optional_field(reader, *section, "author", FieldKind::prose);
  reply.text = optional_field(reader, *section, "text", FieldKind::prose);
  reply.created_at = optional_field(reader, *section, "created_at", FieldKind::time);
  reply.of = reader.text(*section, "of").value_or("");
  reply.when = conditions_in(reader, *section);
  if (!section->contains("of") && !section->contains("text"))
    reader.refuse(*section,
                  R"([reply] needs a text: text = { column = "NAME" }; or, where replies )"
                  R"(are rows, the column of the comment's id: of = "NAME".)");
  if (!reply.of.empty() && !mapping.id)
    reader.refuse(*section, "[reply] of names the id of a comment, so [comment] needs id.");
}

std::optional<AttributeType> attribute_type(TomlReader& reader, const toml::table& table) {
  auto name = reader.text(table, "type");
  if (!table.contains("type")) return AttributeType::by_value;
  constexpr std::pair<std::string_view, AttributeType> types[] = {{"flag", AttributeType::flag},
                                                                  {"number", AttributeType::number},
                                                                  {"text", AttributeType::text},
                                                                  {"choice", AttributeType::text},
                                                                  {"tags", AttributeType::tags}};
  for (auto [known, type] : types)
    if (name == known) return type;
  if (name) reader.refuse(*table.get("type"), "type is flag, number, text, choice or tags.");
  return {};
}

void read_attribute(TomlReader& reader, const toml::key& name, const toml::node& node,
                    FileMapping& mapping) {
  const auto* table = node.as_table();
  if (!is_attribute_name(name.str()) || !table)
    return reader.refuse(node,
                         "An attribute is NAME = { column = \"NAME\" }, and the first NAME "
                         "is of a-z, 0-9 and _, with a letter first, at most 32.");
  if (is_reserved(name.str()) || name.str() == source_id_attribute)
    reader.refuse(
        node, fmt::format("Quire keeps the name {} for itself. Write another name.", name.str()));
  auto type = attribute_type(reader, *table).value_or(AttributeType::by_value);
  auto kind = type == AttributeType::flag   ? FieldKind::flag
              : type == AttributeType::tags ? FieldKind::tags
                                            : FieldKind::prose;
  mapping.attributes.push_back(
      {std::string(name.str()), type, field_in(reader, *table, name.str(), kind, {"type"})});
}

void read_attributes_section(TomlReader& reader, const toml::table& file, FileMapping& mapping) {
  const auto* section = reader.table(file, "attributes", "[attributes]");
  if (!section) return;
  for (const auto& [name, node] : *section) read_attribute(reader, name, node, mapping);
  auto most = limits::attributes - (mapping.id ? 1 : 0);  // source_id is one
  if (mapping.attributes.size() > most)
    reader.refuse(*section, fmt::format("A comment has at most {} attributes here.", most));
}

}  // namespace

Result<FileMapping> parse_file_mapping(std::string_view toml, std::string_view name) {
  TomlReader reader{std::string(name)};
  FileMapping mapping;
  if (auto file = reader.parse(toml)) {
    reader.expect(*file, "The file", {"file", "comment", "reply", "attributes", "facts"});
    read_file_section(reader, *file, mapping);
    read_facts_section(reader, *file, mapping);
    read_comment_section(reader, *file, mapping);
    read_reply_section(reader, *file, mapping);
    read_attributes_section(reader, *file, mapping);
  }
  auto faults = reader.faults();
  if (!faults.empty())
    return Error{ErrorCode::invalid_parameter, fmt::format("{}", fmt::join(faults, "\n")), "map"};
  return mapping;
}

}  // namespace quire
