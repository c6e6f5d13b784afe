#include "store/dynamodb/adopted/mapping/reading.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text.h"
#include "model/attributes.h"
#include "model/facets.h"
#include "model/moderation.h"
#include "model/validate.h"

namespace quire::adopted {

namespace {

namespace json = boost::json;
using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

constexpr std::size_t max_values = 100;  // of one attribute, when all are asked for

// A value as the service writes it, {"S":"Fits"}, of JSON. Null: no attribute has it.
json::value typed(const json::value& plain) {
  if (plain.is_string()) return {{"S", plain}};
  if (plain.is_number()) return {{"N", json::serialize(plain)}};
  if (plain.is_bool()) return {{"BOOL", plain}};
  const auto* array = plain.if_array();
  if (!array) return nullptr;
  json::array list;
  for (const auto& each : *array) list.push_back(typed(each));
  return {{"L", std::move(list)}};
}

// The members of a map, or of a text that is an object of JSON, each as the service writes it.
std::optional<json::object> members_of(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->size() != 1) return {};
  const auto& [type, content] = *object->begin();
  if (type == "M" && content.is_object()) return content.get_object();
  const auto* text = type == "S" ? content.if_string() : nullptr;
  auto plain = text && text->starts_with("{") ? dynamodb::parse_object(*text) : std::nullopt;
  if (!plain) return {};
  json::object out;
  for (const auto& [name, each] : *plain) {
    // An object is read like a text of JSON.
    out[name] = each.is_object() ? typed(json::value(json::serialize(each))) : typed(each);
  }
  return out;
}

json::value value_of(const Attribute& attribute) {
  if (attribute.type == Type::string) return {{"S", attribute.text}};
  if (attribute.type == Type::number) return {{"N", attribute.text}};
  auto object = dynamodb::parse_object(attribute.text);
  return object ? json::value(std::move(*object)) : json::value();
}

std::optional<Attribute> typed_attribute(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->size() != 1) return {};
  const auto& [type, content] = *object->begin();
  const auto* text = content.if_string();
  if (type == "S" && text) return Attribute{Type::string, std::string(*text)};
  if (type == "N" && text) return Attribute{Type::number, std::string(*text)};
  if (type == "NULL") return {};
  return Attribute{Type::other, json::serialize(value)};
}

std::optional<Attribute> find(const std::optional<json::object>& members, std::string_view path) {
  if (!members) return {};
  if (const auto* whole = members->if_contains(path)) return typed_attribute(*whole);
  for (auto dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) {
    const auto* member = members->if_contains(path.substr(0, dot));
    if (member) return find(members_of(*member), path.substr(dot + 1));
  }
  return {};
}

void add_all(const std::string& path, const json::value& value,
             std::map<std::string, Attribute>& out) {
  auto members = members_of(value);
  if (!members) {
    auto attribute = typed_attribute(value);
    if (attribute && out.size() < max_values) out.emplace(path, std::move(*attribute));
    return;
  }
  for (const auto& [name, each] : *members) add_all(path + "." + std::string(name), each, out);
}

// The text or digits of an attribute. Absent: it is missing, empty, or of another type.
std::optional<std::string_view> scalar(ItemValues& values, const std::string& path) {
  const auto* value = values.at(path);
  if (!value || value->type == Type::other || value->text.empty()) return {};
  return value->text;
}

std::optional<std::string_view> field_of(ItemValues& values, const Field& field) {
  auto text = scalar(values, field.attribute);
  if (!text && field.fallback) return *field.fallback;
  return text;
}

// The status by the words of the item's owner, of which a flag has two: "true" and "false". Of an
// item without a word the default, or else what any other word means.
std::string status_of(ItemValues& values, const Field& field) {
  const auto* value = values.at(field.attribute);
  auto text = scalar(values, field.attribute);
  std::optional<std::string> word;
  if (text) word = *text;
  auto plain = value && !text ? dynamodb::plain(value_of(*value)) : json::value();
  if (plain.is_bool()) word = plain.get_bool() ? "true" : "false";
  if (!word && field.fallback) return *field.fallback;
  auto meant = field.values.find(word.value_or("*"));
  if (meant == field.values.end()) meant = field.values.find("*");
  if (meant != field.values.end()) return meant->second;
  return word.value_or("published");
}

// The value within the text, by the field's pattern.
std::optional<std::string_view> part_of(ItemValues& values, const Field& field) {
  auto text = scalar(values, field.attribute);
  return text ? field.pattern.value_in(*text) : std::nullopt;
}

// Whether the field is a text of a comment, which is put into `out`.
bool take_text(ItemValues& values, const Field& field, std::string& out) {
  auto text = field_of(values, field);
  if (!text && values.at(field.attribute)) text = "";  // empty, or of a type without a text
  if (!text) return false;
  out = without_returns(*text);
  if (is_blank(out)) out.clear();
  return characters(out, "\n\t").has_value();
}

// Leaves out values that no attribute can hold.
Attributes attributes_in(const Mapping& mapping, ItemValues& values) {
  Attributes out;
  for (const auto& [name, source] : mapping.attributes) {
    const auto* found = values.at(source);
    if (!found) continue;
    std::string_view wrong;
    auto value = attribute_of(dynamodb::plain(value_of(*found)), wrong);
    if (!value) continue;
    Attributes one{{name, std::move(*value)}};
    if (check_attributes(one).empty()) out.merge(one);
  }
  if (auto id = part_of(values, mapping.id); id && is_attribute_text(*id))
    out.insert_or_assign(std::string(id_attribute), std::string(*id));
  while (!check_attributes(out).empty()) out.erase(std::prev(out.end()));  // together over 4 KiB
  return out;
}

// Fills the comment but for its id and time. A sentence: why the item is none; empty: it is.
std::string_view read_fields(const Mapping& mapping, ItemValues& values, Comment& comment) {
  auto product = part_of(values, mapping.product);
  if (!product) return "It names no product: its attribute is missing, or not of the pattern.";
  comment.product = *product;
  if (check_product(comment.product)) return "Its product is no name of 1 to 256 bytes.";
  auto language = canonical_language(field_of(values, mapping.language).value_or(""));
  if (!language) return "Its language is not a language tag such as en, pt-BR or zh-Hant.";
  comment.language = std::move(*language);
  auto rating = list_facets[rating_facet].parse(field_of(values, mapping.rating).value_or(""));
  if (!rating) return "Its rating is not a whole number from 1 to 5.";
  comment.rating = static_cast<int>(*rating);
  if (!take_text(values, mapping.author, comment.author))
    return "Its author is missing, or has control characters.";
  if (!take_text(values, mapping.title, comment.title))
    return "Its title is missing, or has control characters.";
  if (!take_text(values, mapping.text, comment.text))
    return "Its text is missing, or has control characters.";
  comment.attributes = attributes_in(mapping, values);
  return {};
}

}  // namespace

std::string_view root_of(std::string_view path) {
  return path.substr(0, path.find('.'));
}

const Attribute* ItemValues::at(const std::string& path) {
  auto whole = item_.find(path);
  if (whole != item_.end()) return &whole->second;
  auto root = item_.find(root_of(path));
  if (root == item_.end() || path.size() == root->first.size()) return nullptr;
  auto [members, first] = members_.try_emplace(root->first);
  if (first) members->second = members_of(value_of(root->second));
  auto [value, fresh] = within_.try_emplace(path);
  if (fresh)
    value->second = find(members->second, std::string_view(path).substr(root->first.size() + 1));
  return value->second ? &*value->second : nullptr;
}

std::map<std::string, Attribute> values_within(const std::string& name,
                                               const Attribute& attribute) {
  std::map<std::string, Attribute> out;
  auto value = value_of(attribute);
  if (members_of(value)) add_all(name, value, out);
  return out;
}

bool admits(const Mapping& mapping, const Item& item) {
  if (!mapping.when) return true;
  ItemValues values(item);
  auto text = scalar(values, mapping.when->attribute);
  return text && text->starts_with(mapping.when->begins);
}

std::optional<Ulid> id_in(const Mapping& mapping, const KeyNames& names, const Item& item) {
  ItemValues values(item);
  auto key = encode_key(names, item);
  auto time = part_of(values, mapping.created_at);
  auto created_ms = time ? time_in(mapping.time.format, *time) : std::nullopt;
  if (!key || !created_ms) return {};
  return id_of(*created_ms, *key);
}

Reading read_item(const Mapping& mapping, const KeyNames& names, const Item& item) {
  Reading out;
  auto key = encode_key(names, item);
  if (key) out.key = std::move(*key);
  if (!admits(mapping, item)) return out;
  if (!key) return {{}, {}, "It has no primary key."};
  ItemValues values(item);
  auto status = parse_status(status_of(values, mapping.status));
  if (!status) out.reason = "Its status is not published, pending or rejected.";
  if (status != CommentStatus::published) return out;
  Comment comment;
  out.reason = read_fields(mapping, values, comment);
  if (!out.reason.empty()) return out;
  auto id = id_in(mapping, names, item);
  if (!id) {
    out.reason = "Its time is missing, or not of the format and pattern.";
    return out;
  }
  comment.id = *id;
  out.comment = std::move(comment);
  return out;
}

}  // namespace quire::adopted
