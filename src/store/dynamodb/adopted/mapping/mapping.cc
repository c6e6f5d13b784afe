#include "store/dynamodb/adopted/mapping/mapping.h"

#include <fmt/format.h>

// The parser asserts some conditions of its input that it checks and reports afterwards.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#include <set>

#include "base/hash.h"
#include "model/attributes.h"

namespace quire::adopted {
namespace {

constexpr std::string_view field_form = R"({ attribute = "NAME" })";

// Reads tables of the file. The first error is kept, and ends the reading.
class Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  std::optional<Error> error;

  void refuse(const toml::node& at, std::string_view sentence) {
    refuse(at.source().begin.line, sentence);
  }
  void refuse(toml::source_index line, std::string_view sentence) {
    if (error) return;
    error = Error{ErrorCode::invalid_parameter,
                  fmt::format("{}, line {}: {}", name_, line, sentence), "store"};
  }
  void refuse(std::string_view sentence) {
    if (!error)
      error = Error{ErrorCode::invalid_parameter, fmt::format("{}: {}", name_, sentence), "store"};
  }

  // Refuses what is not in `names`, so that nothing misspelt is passed over.
  void expect(const toml::table& table, std::string_view where, std::set<std::string_view> names) {
    for (const auto& [key, value] : table) {
      if (names.contains(key.str())) continue;
      refuse(value, fmt::format("{} has no \"{}\". Take one of: {}.", where, key.str(),
                                fmt::join(names, ", ")));
    }
  }

  const toml::table* table(const toml::table& in, std::string_view name) {
    const auto* node = in.get(name);
    if (node && !node->is_table())
      refuse(*node, fmt::format("{} is a table. Write {} = {}.", name, name, field_form));
    return node ? node->as_table() : nullptr;
  }

  // Absent: it is not there, or no text.
  std::optional<std::string> text(const toml::table& in, std::string_view name) {
    const auto* node = in.get(name);
    if (!node) return {};
    auto value = node->value_exact<std::string>();
    if (!value || value->empty()) {
      refuse(*node, fmt::format("{} is a text that is not empty, in quotes.", name));
      return {};
    }
    return value;
  }

 private:
  std::string_view name_;
};

// The default: a text, which may be empty, or a whole number.
std::optional<std::string> fallback_in(Reader& reader, const toml::table& table) {
  const auto* node = table.get("default");
  if (!node) return {};
  if (auto text = node->value_exact<std::string>()) return text;
  if (auto number = node->value_exact<std::int64_t>()) return std::to_string(*number);
  reader.refuse(*node, "default is a text in quotes, or a whole number.");
  return {};
}

void read_pattern(Reader& reader, const toml::table& table, std::string_view name, Field& field) {
  auto text = reader.text(table, "pattern");
  if (!text) return;
  auto pattern = Pattern::parse(*text, name);
  if (!pattern)
    reader.refuse(*table.get("pattern"), pattern.error().message);
  else
    field.pattern = std::move(*pattern);
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
                               {"text", &Mapping::text, false, ""}};

void read_field(Reader& reader, const toml::table& comment, const FieldKind& kind, Field& field) {
  const auto* table = reader.table(comment, kind.name);
  if (!table) {
    if (!kind.left_out)
      reader.refuse(comment,
                    fmt::format("[comment] needs {0}. Write {0} = {1}.", kind.name, field_form));
    else
      field.fallback = *kind.left_out;
    return;
  }
  std::set<std::string_view> names = {"attribute", kind.in_key ? "pattern" : "default"};
  if (kind.name == "created_at") names.insert("format");
  reader.expect(*table, kind.name, names);
  field.attribute = reader.text(*table, "attribute").value_or("");
  if (kind.in_key) read_pattern(reader, *table, kind.name, field);
  if (!kind.in_key) field.fallback = fallback_in(reader, *table);
  if (field.attribute.empty() && !field.fallback)
    reader.refuse(*table,
                  fmt::format("{0} needs an attribute. Write {0} = {1}.", kind.name, field_form));
}

void read_format(Reader& reader, const toml::table& comment, Mapping& mapping) {
  const auto* table = comment.get_as<toml::table>("created_at");
  auto text = table ? reader.text(*table, "format") : std::nullopt;
  if (!text || *text == "iso8601") return;
  if (*text == "epoch_s")
    mapping.format = TimeFormat::epoch_s;
  else if (*text == "epoch_ms")
    mapping.format = TimeFormat::epoch_ms;
  else
    reader.refuse(*table->get("format"), "format is iso8601, epoch_s or epoch_ms.");
}

void read_when(Reader& reader, const toml::table& comment, Mapping& mapping) {
  const auto* table = reader.table(comment, "when");
  if (!table) return;
  reader.expect(*table, "when", {"attribute", "begins"});
  auto attribute = reader.text(*table, "attribute"), begins = reader.text(*table, "begins");
  if (attribute && begins)
    mapping.when = When{*attribute, *begins};
  else
    reader.refuse(*table, R"(when needs both: when = { attribute = "SK", begins = "REVIEW#" }.)");
}

void read_attributes(Reader& reader, const toml::table& file, Mapping& mapping) {
  const auto* attributes = reader.table(file, "attributes");
  if (!attributes) return;
  for (const auto& [key, value] : *attributes) {
    const auto* table = value.as_table();
    if (!is_attribute_name(key.str()) || !table) {
      reader.refuse(value, fmt::format("An attribute is NAME = {}, and NAME is of a-z, 0-9 and _, "
                                       "with a letter first, at most 32.",
                                       field_form));
      return;
    }
    reader.expect(*table, key.str(), {"attribute"});
    auto attribute = reader.text(*table, "attribute");
    if (!attribute) reader.refuse(*table, fmt::format("Write {} = {}.", key.str(), field_form));
    mapping.attributes.emplace(key.str(), attribute.value_or(""));
  }
  if (mapping.attributes.size() > 32)
    reader.refuse(*attributes, "A comment has at most 32 attributes.");
}

void read_index(Reader& reader, const toml::table& file, Mapping& mapping) {
  const auto* index = reader.table(file, "index");
  if (!index) return;
  reader.expect(*index, "[index]", {"name"});
  mapping.index = reader.text(*index, "name").value_or("");
}

Mapping read_file(Reader& reader, const toml::table& file) {
  Mapping mapping;
  reader.expect(file, "The file", {"comment", "attributes", "index"});
  const auto* comment = reader.table(file, "comment");
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
  read_index(reader, file, mapping);
  return mapping;
}

}  // namespace

Result<Mapping> parse_mapping(std::string_view toml, std::string_view name) {
  Reader reader(name);
  try {
    auto mapping = read_file(reader, toml::parse(toml));
    if (reader.error) return std::move(*reader.error);
    mapping.print = sha256_hex(toml).substr(0, 16);
    return mapping;
  } catch (const toml::parse_error& wrong) {
    reader.refuse(wrong.source().begin.line, fmt::format("{}.", wrong.description()));
    return std::move(*reader.error);
  }
}

}  // namespace quire::adopted
