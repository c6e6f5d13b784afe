#include "mapping/comment_mapping.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "mapping/mapping_toml.h"
#include "model/attributes.h"

namespace quire {
namespace {

using OptionalField = std::optional<MappedField> CommentMapping::*;

struct CommentField {
  std::string_view name;
  FieldKind kind;
  OptionalField field;
  std::set<std::string_view> more = {};
};

const std::vector<CommentField>& comment_fields() {
  static const std::vector<CommentField> fields = {
      {"id", FieldKind::text, &CommentMapping::id},
      {"product", FieldKind::text, &CommentMapping::product, {"table"}},
      {"language", FieldKind::text, &CommentMapping::language},
      {"author", FieldKind::prose, &CommentMapping::author},
      {"title", FieldKind::prose, &CommentMapping::title, {"unless_in_text"}},
      {"text", FieldKind::prose, &CommentMapping::text},
      {"status", FieldKind::status, &CommentMapping::status},
      {"pictures", FieldKind::pictures, &CommentMapping::pictures},
      {"customer", FieldKind::text, &CommentMapping::customer}};
  return fields;
}

MappedField needed_field(FieldReader& fields, const toml::table& section, std::string_view name,
                         FieldKind kind) {
  auto field = fields.optional_field(section, name, kind);
  if (!field && !section.contains(name))
    fields.toml().refuse(section,
                         fmt::format("[comment] needs {}. Write {}.", name, fields.form_of(name)));
  return std::move(field).value_or(MappedField());
}

void read_comment_section(FieldReader& fields, const toml::table& file, CommentMapping& mapping) {
  auto& reader = fields.toml();
  const auto* section = reader.table(file, "comment", "[comment]");
  if (!section) {
    if (!file.contains("comment"))
      reader.refuse(fmt::format("The section [comment] is missing. {} prints a first mapping.",
                                fields.dialect().proposes));
    return;
  }
  std::set<std::string_view> names = {"created_at", "rating", "when"};
  for (const auto& each : comment_fields()) names.insert(each.name);
  reader.expect(*section, "[comment]", names);
  for (const auto& each : comment_fields())
    mapping.*each.field = fields.optional_field(*section, each.name, each.kind, each.more);
  mapping.created_at = needed_field(fields, *section, "created_at", FieldKind::time);
  mapping.rating = needed_field(fields, *section, "rating", FieldKind::rating);
  mapping.when = fields.conditions(*section);
  if (auto product_table = product_table_in(reader, *section))
    mapping.product_table = std::move(*product_table);
}

void read_reply_section(FieldReader& fields, const toml::table& file, CommentMapping& mapping) {
  auto& reader = fields.toml();
  const auto* section = reader.table(file, "reply", "[reply]");
  if (!section) return;
  reader.expect(*section, "[reply]", {"author", "text", "created_at", "of", "when"});
  auto& reply = mapping.reply;
  reply.author = fields.optional_field(*section, "author", FieldKind::prose);
  reply.text = fields.optional_field(*section, "text", FieldKind::prose);
  reply.created_at = fields.optional_field(*section, "created_at", FieldKind::time);
  reply.of = reader.text(*section, "of").value_or("");
  reply.when = fields.conditions(*section);
  if (!section->contains("of") && !section->contains("text"))
    reader.refuse(*section, fmt::format("[reply] needs a text: {}; or, where replies are rows, the "
                                        "{} of the comment's id: of = \"NAME\".",
                                        fields.form_of("text"), fields.dialect().column));
  if (!reply.of.empty() && !mapping.id)
    reader.refuse(*section, "[reply] of names the id of a comment, so [comment] needs id.");
}

std::optional<AttributeType> attribute_type(TomlReader& reader, const toml::table& table) {
  auto name = reader.text(table, "type");
  if (!name) return {};
  constexpr std::pair<std::string_view, AttributeType> types[] = {{"flag", AttributeType::flag},
                                                                  {"number", AttributeType::number},
                                                                  {"text", AttributeType::text},
                                                                  {"choice", AttributeType::text},
                                                                  {"tags", AttributeType::tags}};
  for (auto [known, type] : types)
    if (name == known) return type;
  reader.refuse(*table.get("type"), "type is flag, number, text, choice or tags.");
  return {};
}

void read_attribute(FieldReader& fields, const toml::key& name, const toml::node& node,
                    CommentMapping& mapping) {
  auto& reader = fields.toml();
  const auto* table = node.as_table();
  if (!is_attribute_name(name.str()) || !table)
    return reader.refuse(node,
                         fmt::format("An attribute is {}, and the first NAME is of a-z, 0-9 and _, "
                                     "with a letter first, at most 32.",
                                     fields.form_of("NAME")));
  if (is_reserved(name.str()) || name.str() == fields.dialect().kept)
    reader.refuse(
        node, fmt::format("Quire keeps the name {} for itself. Write another name.", name.str()));
  auto type = attribute_type(reader, *table).value_or(fields.dialect().type);
  auto kind = type == AttributeType::flag   ? FieldKind::flag
              : type == AttributeType::tags ? FieldKind::tags
                                            : FieldKind::prose;
  mapping.attributes.push_back(
      {std::string(name.str()), type, fields.field(*table, name.str(), kind, {"type"})});
}

void read_attributes_section(FieldReader& fields, const toml::table& file,
                             CommentMapping& mapping) {
  auto& reader = fields.toml();
  const auto* section = reader.table(file, "attributes", "[attributes]");
  if (!section) return;
  for (const auto& [name, node] : *section) read_attribute(fields, name, node, mapping);
  auto most = limits::attributes - (mapping.id ? 1 : 0);  // its id is one
  if (mapping.attributes.size() > most)
    reader.refuse(*section, fmt::format("A comment has at most {} attributes here.", most));
}

}  // namespace

std::set<std::string> paths_of(const CommentMapping& mapping) {
  std::set<std::string> paths;
  auto add = [&](const std::optional<MappedField>& field) {
    if (!field) return;
    paths.insert(field->columns.begin(), field->columns.end());
    if (field->max_is_column) paths.insert(field->max);
  };
  for (const auto& each : comment_fields()) add(mapping.*each.field);
  const auto& reply = mapping.reply;
  for (const auto& field : {reply.author, reply.text, reply.created_at}) add(field);
  add(mapping.created_at);
  add(mapping.rating);
  for (const auto& each : mapping.attributes) add(each.field);
  for (const auto* conditions : {&mapping.when, &reply.when})
    for (const auto& when : *conditions) paths.insert(when.columns.begin(), when.columns.end());
  if (!reply.of.empty()) paths.insert(reply.of);
  return paths;
}

void read_comment_mapping(TomlReader& reader, const Dialect& dialect, const toml::table& file,
                          CommentMapping& mapping) {
  FieldReader fields(reader, dialect);
  read_comment_section(fields, file, mapping);
  read_reply_section(fields, file, mapping);
  read_attributes_section(fields, file, mapping);
}

}  // namespace quire
