#include "model/attributes.h"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "base/limits.h"
#include "model/document.h"
#include "model/made_facets.h"
#include "model/validate.h"

namespace quire {
namespace {

namespace json = boost::json;
using Strings = std::vector<std::string>;

constexpr std::string_view text_wanted = "must have 1 to 100 characters, and no control characters";

FieldError at_fault(std::string_view name, std::string message) {
  return {"attributes." + std::string(shortened(name)), std::move(message)};
}

std::string fault_of(const Strings& strings) {
  if (strings.size() > limits::attribute_texts) {
    return "has " + std::to_string(strings.size()) + " strings; at most " +
           std::to_string(limits::attribute_texts) + " are kept";
  }
  if (!std::all_of(strings.begin(), strings.end(), is_attribute_text))
    return "has a string that is empty, has over 100 characters, or has control characters";
  bool once = std::set(strings.begin(), strings.end()).size() == strings.size();
  return once ? "" : "has a string twice; send each string once";
}

// What is wrong with the value; empty: nothing.
std::string fault_of(const AttributeValue& value) {
  if (const auto* strings = std::get_if<Strings>(&value)) return fault_of(*strings);
  const auto* text = std::get_if<std::string>(&value);
  if (text && !is_attribute_text(*text)) return std::string(text_wanted);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number && !is_attribute_number(*number))
    return "must be a whole number of at most 53 bits; send a longer one as a string";
  return "";
}

std::optional<FieldError> check_one(std::string_view name, const AttributeValue* value) {
  if (!is_attribute_name(name)) {
    return at_fault(name,
                    "is no name: take 1 to 32 lower-case letters, digits and underscores, a letter "
                    "first");
  }
  auto fault = value ? fault_of(*value) : "";
  if (fault.empty()) return {};
  return at_fault(name, std::move(fault));
}

void append_value(std::string& out, const AttributeValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) out += *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) out += std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) append_json_string(out, *text);
  const auto* strings = std::get_if<Strings>(&value);
  if (!strings) return;
  out += '[';
  for (const auto& each : *strings) {
    if (out.back() != '[') out += ',';
    append_json_string(out, each);
  }
  out += ']';
}

std::optional<AttributeValue> strings_of(const json::array& array, std::string_view& wrong) {
  Strings strings;
  for (const auto& each : array) {
    if (!each.is_string()) {
      wrong = "must be an array of strings alone";
      return {};
    }
    strings.emplace_back(each.get_string());
  }
  return strings;
}

}  // namespace

bool is_attribute_name(std::string_view name) {
  auto letter = [](char c) { return 'a' <= c && c <= 'z'; };
  auto digit = [](char c) { return '0' <= c && c <= '9'; };
  if (name.empty() || name.size() > limits::attribute_name_characters) return false;
  return letter(name[0]) && std::all_of(name.begin(), name.end(),
                                        [&](char c) { return letter(c) || digit(c) || c == '_'; });
}

bool is_reserved(std::string_view name) {
  constexpr std::string_view names[] = {
      "base", "customer", "etag",   "filter", "jsonld", "matches", "media", "note",
      "q",    "quire",    "reason", "reply",  "status", "ticket",  "token", "ui"};
  return std::binary_search(std::begin(names), std::end(names), name) || made_facet(name);
}

bool is_attribute_text(std::string_view text) {
  auto length = characters(text, "");
  return length && 1 <= *length && *length <= limits::attribute_text_characters;
}

bool is_attribute_number(std::int64_t number) {
  return -limits::attribute_number <= number && number <= limits::attribute_number;
}

bool is_verified(const Comment& comment) {
  auto found = comment.attributes.find(verified_name);
  const auto* flag =
      found == comment.attributes.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag && *flag;
}

std::vector<FieldError> check_attributes(const Attributes& attributes) {
  if (attributes.size() > limits::attributes) {
    return {{"attributes", "has " + std::to_string(attributes.size()) + " names; at most " +
                               std::to_string(limits::attributes) + " are kept"}};
  }
  std::vector<FieldError> errors;
  for (const auto& [name, value] : attributes) {
    if (auto error = check_one(name, &value)) errors.push_back(std::move(*error));
  }
  if (!errors.empty() || attributes.empty()) return errors;
  std::string text;
  append_json(text, attributes);
  if (text.size() > limits::attributes_bytes) {
    errors.push_back({"attributes", "has " + std::to_string(text.size()) +
                                        " bytes as JSON; at most " +
                                        std::to_string(limits::attributes_bytes) + " are kept"});
  }
  return errors;
}

std::vector<FieldError> check_attributes(const Patch& patch) {
  // One patch can remove all attributes and give as many others.
  if (patch.attributes.size() > 2 * limits::attributes)
    return {{"attributes", "has " + std::to_string(patch.attributes.size()) +
                               " names; change at most 64 at once"}};
  std::vector<FieldError> errors;
  for (const auto& [name, value] : patch.attributes) {
    if (auto error = check_one(name, value ? &*value : nullptr))
      errors.push_back(std::move(*error));
  }
  return errors;
}

void append_json(std::string& out, const Attributes& attributes) {
  out += '{';
  for (const auto& [name, value] : attributes) {
    if (out.back() != '{') out += ',';
    append_json_string(out, name);
    out += ':';
    append_value(out, value);
  }
  out += '}';
}

std::optional<AttributeValue> attribute_of(const json::value& value, std::string_view& wrong) {
  switch (value.kind()) {
    case json::kind::bool_:
      return value.get_bool();
    case json::kind::int64:
      return value.get_int64();
    case json::kind::string:
      return std::string(value.get_string());
    case json::kind::array:
      return strings_of(value.get_array(), wrong);
    case json::kind::uint64:
      wrong = "must be a whole number of at most 53 bits; send a longer one as a string";
      break;
    case json::kind::double_:
      wrong = "must be a whole number without point or exponent; send 2.5 as 25 tenths, say";
      break;
    case json::kind::object:
      wrong = "must not be an object; give each of its values a name of its own";
      break;
    case json::kind::null:
      wrong = "must not be null; leave it out";
      break;
  }
  return {};
}

std::optional<Attributes> attributes_of(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->size() > limits::attributes) return {};
  Attributes attributes;
  for (const auto& [name, each] : *object) {
    std::string_view wrong;
    auto read = attribute_of(each, wrong);
    if (!read) return {};
    attributes.emplace(name, std::move(*read));
  }
  if (!check_attributes(attributes).empty()) return {};
  return attributes;
}

}  // namespace quire
