#include "mapping/mapping_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "mapping/values/flag.h"
#include "mapping/values/rating.h"
#include "mapping/values/status.h"

namespace quire {
namespace {

// The text of a text, a number or a flag.
std::optional<std::string> word_of(const toml::node& node) {
  if (auto text = node.value_exact<std::string>()) return text;
  if (auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  auto number = node.value_exact<double>();
  if (!number || !(std::abs(*number) < 1e15)) return {};
  std::string digits;
  append_decimal(digits, *number);
  return digits;
}

// The words of a text, number or flag, or of a list of them. Absent: it is something else.
std::optional<std::vector<std::string>> words_of(const toml::node& node) {
  std::vector<std::string> words;
  auto add = [&](const toml::node& each) {
    auto word = word_of(each);
    if (word) words.push_back(std::move(*word));
    return word.has_value();
  };
  const auto* list = node.as_array();
  if (!list) return add(node) ? std::optional(words) : std::nullopt;
  if (list->empty() || !std::all_of(list->begin(), list->end(), add)) return {};
  return words;
}

// Why the meaning of a word is none for this kind of field. Empty: it is one.
std::string_view wrong_meaning(FieldKind kind, std::string_view meaning) {
  if (kind == FieldKind::status && !status_of_word(meaning))
    return "A value of status means published, pending, rejected, or rejected:REASON, where REASON "
           "is "
           "spam, offensive, personal, off_topic, fake, unlawful or other.";
  if (kind == FieldKind::flag && !flag_of(meaning)) return "A value of a flag means true or false.";
  bool rating = meaning.empty() || (meaning.size() == 1 && '1' <= meaning[0] && meaning[0] <= '5');
  if (kind == FieldKind::rating && !rating)
    return "A value of rating means 1 to 5, or \"\" for no rating.";
  return {};
}

void read_words(TomlReader& reader, const toml::table& table, FieldKind kind, MappedField& field) {
  const auto* values = reader.table(table, "values", R"(values = { WORD = "MEANING" })");
  if (!values) return;
  for (const auto& [key, node] : *values) {
    auto meaning = word_of(node);
    if (!meaning) {
      reader.refuse(node, "The meaning of a value is a text, a number or a flag.");
    } else if (auto wrong = wrong_meaning(kind, *meaning); !wrong.empty()) {
      reader.refuse(node, wrong);
    } else {
      field.values.emplace(key.str(), std::move(*meaning));
    }
  }
}

void read_patterns(TomlReader& reader, const toml::table& table, std::string_view name,
                   MappedField& field) {
  for (const auto& text : texts_in(reader, table, "pattern")) {
    auto pattern = Pattern::parse(text, name);
    if (pattern)
      field.patterns.push_back(std::move(*pattern));
    else
      reader.refuse(*table.get("pattern"), pattern.error().message);
  }
}

void read_replace(TomlReader& reader, const toml::table& table, MappedField& field) {
  const auto* node = table.get("replace");
  if (!node) return;
  const auto* list = node->as_array();
  bool two = list && list->size() == 2 && list->is_homogeneous<std::string>();
  auto from = two ? *list->get(0)->value_exact<std::string>() : "";
  if (from.empty()) return reader.refuse(*node, R"(Write replace = ["OLD", "NEW"].)");
  field.replace = {from, *list->get(1)->value_exact<std::string>()};
}

void read_default(TomlReader& reader, const toml::table& table, FieldKind kind,
                  MappedField& field) {
  const auto* node = table.get("default");
  if (!node) return;
  field.fallback = word_of(*node);
  if (!field.fallback) return reader.refuse(*node, "default is a text, a number or a flag.");
  auto wrong = wrong_meaning(kind, *field.fallback);
  if (!wrong.empty()) reader.refuse(*node, wrong);
}

void read_time(TomlReader& reader, const toml::table& table, MappedField& field) {
  for (const auto& text : texts_in(reader, table, "format")) {
    auto format = TimeFormat::parse(text);
    if (format)
      field.formats.push_back(std::move(*format));
    else
      reader.refuse(*table.get("format"), format.error().message);
  }
  field.zone = zone_in(reader, table);
  if (!field.fallback) return;
  auto time = time_in(*field.fallback, field.formats, field.zone.value_or(Zone()));
  bool good = std::holds_alternative<std::uint64_t>(time) ||
              std::holds_alternative<std::uint64_t>(time_in(*field.fallback, {}, Zone()));
  if (!good) reader.refuse(*table.get("default"), "default is a time, such as \"2024-01-31\".");
}

void read_scale(TomlReader& reader, const toml::table& table, std::string_view column,
                MappedField& field) {
  if (const auto* node = table.get("max")) {
    auto max = word_of(*node);
    field.max_is_column = node->is_string() && max != "" &&
                          std::holds_alternative<NoRating>(rating_of("1", *max, Rounding::up));
    bool number = max && std::holds_alternative<int>(rating_of(*max, *max, Rounding::up));
    if (number || field.max_is_column)
      field.max = *max;
    else
      reader.refuse(
          *node,
          fmt::format("max is the greatest rating, such as 10, or the {} that has it.", column));
  }
  auto round = reader.text(table, "round");
  if (round == "up") field.rounding = Rounding::up;
  if (round == "down") field.rounding = Rounding::down;
  if (round && field.rounding == Rounding::refused)
    reader.refuse(*table.get("round"), "round is \"up\" or \"down\".");
}

}  // namespace

std::vector<std::string> texts_in(TomlReader& reader, const toml::table& table,
                                  std::string_view name) {
  const auto* node = table.get(name);
  if (!node) return {};
  std::vector<std::string> texts;
  auto add = [&](const toml::node& each) {
    auto text = each.value_exact<std::string>();
    if (text && !text->empty()) texts.push_back(std::move(*text));
  };
  const auto* list = node->as_array();
  if (list)
    for (const auto& each : *list) add(each);
  else
    add(*node);
  if (!texts.empty() && texts.size() == (list ? list->size() : 1)) return texts;
  reader.refuse(*node,
                fmt::format("{} is a text that is not empty, in quotes, or a list of such.", name));
  return {};
}

std::optional<std::string> product_table_in(TomlReader& reader, const toml::table& section) {
  const auto* product = section.get_as<toml::table>("product");
  if (!product || !product->contains("table")) return {};
  return reader.text(*product, "table");
}

std::optional<Zone> zone_in(TomlReader& reader, const toml::table& table) {
  auto name = reader.text(table, "zone");
  auto zone = name ? Zone::named(*name) : std::nullopt;
  if (name && !zone) reader.refuse(*table.get("zone"), no_zone(*name));
  return zone;
}

std::string FieldReader::form_of(std::string_view name) const {
  return fmt::format("{} = {{ {} = \"NAME\" }}", name, dialect_.column);
}

std::string FieldReader::a_column() const {
  return fmt::format("{} {}", dialect_.column.starts_with('a') ? "an" : "a", dialect_.column);
}

std::set<std::string_view> FieldReader::names_of(FieldKind kind) const {
  auto column = dialect_.column;
  if (kind == FieldKind::pictures) return {column, "member", "replace"};
  if (kind == FieldKind::tags) return {column, "values", "default"};
  if (kind == FieldKind::time) return {column, "pattern", "default", "format", "zone"};
  std::set<std::string_view> names = {column, "pattern", "values", "default"};
  if (kind == FieldKind::rating) names.insert({"max", "round"});
  if (kind == FieldKind::text || kind == FieldKind::prose) names.insert("replace");
  if (kind == FieldKind::prose) names.insert("html");
  return names;
}

void FieldReader::read_condition(const toml::node& node, std::vector<MappedWhen>& out) {
  auto form = fmt::format(R"(when = {{ {} = "NAME", is = "VALUE" }})", dialect_.column);
  const auto* table = node.as_table();
  if (!table) return toml_.refuse(node, fmt::format("Write {}.", form));
  toml_.expect(*table, "when", {dialect_.column, "begins", "ends", "is", "not"});
  MappedWhen when{texts_in(toml_, *table, dialect_.column)};
  bool any = false;
  for (auto [name, words] : {std::pair{"begins", &when.begins},
                             {"ends", &when.ends},
                             {"is", &when.is},
                             {"not", &when.none}}) {
    const auto* given = table->get(name);
    if (!given) continue;
    any = true;
    auto found = words_of(*given);
    if (!found) toml_.refuse(*given, fmt::format("{} is a text, or a list of texts.", name));
    *words = std::move(found).value_or(std::vector<std::string>());
  }
  if (!table->contains(dialect_.column) || !any)
    toml_.refuse(*table,
                 fmt::format("when needs {}, and begins, ends, is or not: {}.", a_column(), form));
  out.push_back(std::move(when));
}

MappedField FieldReader::field(const toml::table& table, std::string_view name, FieldKind kind,
                               const std::set<std::string_view>& more) {
  auto names = names_of(kind);
  names.insert(more.begin(), more.end());
  toml_.expect(table, name, names);
  MappedField field;
  field.columns = texts_in(toml_, table, dialect_.column);
  read_patterns(toml_, table, name, field);
  read_words(toml_, table, kind, field);
  read_default(toml_, table, kind, field);
  read_replace(toml_, table, field);
  if (kind == FieldKind::time) read_time(toml_, table, field);
  if (kind == FieldKind::rating) read_scale(toml_, table, dialect_.column, field);
  if (names.contains("html")) field.html = toml_.flag(table, "html");
  if (names.contains("unless_in_text")) field.unless_in_text = toml_.flag(table, "unless_in_text");
  if (names.contains("member")) field.member = toml_.text(table, "member").value_or("");
  if (!table.contains(dialect_.column) && !table.contains("default"))
    toml_.refuse(table, fmt::format("{} needs {}. Write {}.", name, a_column(), form_of(name)));
  return field;
}

std::optional<MappedField> FieldReader::optional_field(const toml::table& section,
                                                       std::string_view name, FieldKind kind,
                                                       const std::set<std::string_view>& more) {
  const auto* table = toml_.table(section, name, form_of(name));
  if (!table) return {};
  return field(*table, name, kind, more);
}

std::vector<MappedWhen> FieldReader::conditions(const toml::table& section) {
  std::vector<MappedWhen> conditions;
  const auto* node = section.get("when");
  if (!node) return conditions;
  if (const auto* list = node->as_array())
    for (const auto& each : *list) read_condition(each, conditions);
  else
    read_condition(*node, conditions);
  return conditions;
}

}  // namespace quire
