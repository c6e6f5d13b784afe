#include "records/json_row.h"

#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"
#include "records/container.h"

namespace quire::records {

namespace json = boost::json;

namespace {

bool is_typed_value(const json::value& value);

bool are_texts(const json::value& value) {
  auto* array = value.if_array();
  if (!array) return false;
  for (const auto& each : *array)
    if (!each.is_string()) return false;
  return true;
}

bool are_typed_values(const json::value& value) {
  auto* array = value.if_array();
  if (!array) return false;
  for (const auto& each : *array)
    if (!is_typed_value(each)) return false;
  return true;
}

bool is_typed_value(const json::value& value) {
  auto* object = value.if_object();
  if (!object || object->size() != 1) return false;
  const auto& [type, content] = *object->begin();
  if (type == "S" || type == "N" || type == "B") return content.is_string();
  if (type == "BOOL" || type == "NULL") return content.is_bool();
  if (type == "SS" || type == "NS" || type == "BS") return are_texts(content);
  if (type == "L") return are_typed_values(content);
  if (type != "M" || !content.is_object()) return false;
  return content.get_object().empty() || is_typed(content.get_object());
}

// A number, or the text itself: an id of twenty digits keeps them.
json::value number_of(const json::string& text) {
  std::string_view digits(text);
  if (auto whole = parse_integer<std::int64_t>(digits)) return *whole;
  double number = 0;
  auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool whole = digits.find_first_of(".eE") == digits.npos;
  if (failed != std::errc{} || end != digits.data() + digits.size() || whole ||
      !std::isfinite(number))
    return text;
  return number;
}

void unwrap(json::object& members);

// A value that is_typed_value().
void unwrap(json::value& value) {
  auto& [type, content] = *value.get_object().begin();
  auto plain = std::move(content);
  if (type == "N") plain = number_of(plain.get_string());
  if (type == "NULL") plain = nullptr;
  if (type == "M") unwrap(plain.get_object());
  if (type == "L")
    for (auto& each : plain.get_array()) unwrap(each);
  if (type == "NS")
    for (auto& each : plain.get_array()) each = number_of(each.get_string());
  value = std::move(plain);
}

void unwrap(json::object& members) {
  for (auto& member : members) unwrap(member.value());
}

json::object plain(json::object members) {
  auto* item = members.size() == 1 ? members.if_contains("Item") : nullptr;
  if (item && item->is_object() && is_typed(item->get_object())) {
    auto inner = std::move(item->get_object());
    unwrap(inner);
    return inner;
  }
  if (is_typed(members)) unwrap(members);
  return members;
}

}  // namespace

bool is_typed(const json::object& members) {
  for (const auto& member : members)
    if (!is_typed_value(member.value())) return false;
  return !members.empty();
}

Row json_row(std::string_view text, std::uint64_t line) {
  boost::system::error_code none;
  auto value = json::parse(text, none, {}, {.max_depth = max_depth});
  if (none) return BadRow{line, "The row is no JSON: " + none.message() + ".", std::string(text)};
  if (!value.is_object()) return BadRow{line, "The row is no JSON object.", std::string(text)};
  auto& members = value.get_object();
  if (auto* row = members.if_contains(bad_row_name); row && row->is_string()) {
    auto inner = std::move(row->get_string());
    // A row of XML that was none has no text.
    if (inner.empty()) return BadRow{line, "The row was none before.", ""};
    return json_row(std::string_view(inner), line);
  }
  members.erase(reason_name);
  return Record{.members = plain(std::move(members)), .line = line};
}

}  // namespace quire::records
