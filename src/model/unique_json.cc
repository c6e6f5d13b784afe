#include "model/unique_json.h"

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/iso_time.h"
#include "model/validate.h"
#include "quire/ulid.h"

namespace quire {
namespace {

namespace json = boost::json;
using Text = json::string_view;
using Size = std::size_t;
using Code = json::error_code;

// Builds a value from the events of the parser, as Boost's own handler does, and counts the names.
// With `naming` it also finds the first name that an object has twice.
struct Handler {
  static constexpr Size max_object_size = json::object::max_size();
  static constexpr Size max_array_size = json::array::max_size();
  static constexpr Size max_key_size = json::string::max_size();
  static constexpr Size max_string_size = json::string::max_size();

  json::value_stack made;
  Size names = 0;  // until now, of all objects
  bool naming = false;
  std::vector<std::set<std::string>> open;  // the names met in the enclosing objects
  std::string name;
  std::string twice;

  bool on_object_begin(Code&) {
    if (naming) open.emplace_back();
    return true;
  }
  bool on_object_end(Size size, Code&) {
    if (naming) open.pop_back();
    return made.push_object(size), true;
  }
  bool on_key_part(Text part, Size, Code&) {
    if (naming) name.append(part.data(), part.size());
    return made.push_chars(part), true;
  }
  bool on_key(Text rest, Size, Code& failed) {
    if (++names > max_names) return failed = json::error::syntax, false;
    made.push_key(rest);
    if (!naming) return true;
    name.append(rest.data(), rest.size());
    if (!open.back().insert(name).second) {
      twice = name;
      failed = json::error::syntax;  // ends the parser: the rest is not needed
      return false;
    }
    return name.clear(), true;
  }

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(Size size, Code&) { return made.push_array(size), true; }
  bool on_string_part(Text part, Size, Code&) { return made.push_chars(part), true; }
  bool on_string(Text rest, Size, Code&) { return made.push_string(rest), true; }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t number, Text, Code&) { return made.push_int64(number), true; }
  bool on_uint64(std::uint64_t number, Text, Code&) { return made.push_uint64(number), true; }
  bool on_double(double number, Text, Code&) { return made.push_double(number), true; }
  bool on_bool(bool value, Code&) { return made.push_bool(value), true; }
  bool on_null(Code&) { return made.push_null(), true; }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }
};

using Parser = json::basic_parser<Handler>;

Code parse(Parser& parser, std::string_view text) {
  Code failed;
  parser.handler().made.reset();
  auto read = parser.write_some(false, text.data(), text.size(), failed);
  if (!failed && read < text.size()) failed = json::error::extra_data;
  return failed;
}

// Of a name that came twice, an object has kept one value.
Size names_in(const json::value& value) {
  Size count = 0;
  if (const auto* object = value.if_object()) {
    count = object->size();
    for (const auto& field : *object) count += names_in(field.value());
  } else if (const auto* array = value.if_array()) {
    for (const auto& each : *array) count += names_in(each);
  }
  return count;
}

std::string name_given_twice(std::string_view text, const json::parse_options& options) {
  Parser parser(options);
  parser.handler().naming = true;
  parse(parser, text);
  return parser.handler().twice;
}

// Of a larger double nobody knows which whole number was written. Absent: it has a fraction.
std::optional<std::int64_t> whole(double number) {
  constexpr double end = 9'007'199'254'740'992;  // 2^53
  bool fits = -end < number && number < end && std::trunc(number) == number;
  return fits ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

void make_text(json::value& value) {
  std::optional<std::int64_t> number;
  if (value.is_int64()) number = value.get_int64();
  if (value.is_double()) number = whole(value.get_double());
  if (number) value = std::to_string(*number);
  if (value.is_uint64()) value = std::to_string(value.get_uint64());
}

// The same of each element of an array.
void make_texts(json::value& value) {
  auto* array = value.if_array();
  if (!array) return make_text(value);
  for (auto& each : *array) make_text(each);
}

void make_number(json::value& value) {
  std::optional<std::int64_t> number;
  if (value.is_double()) number = whole(value.get_double());
  if (const auto* text = value.if_string()) {
    double read = 0;
    auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), read);
    if (failed == std::errc{} && end == text->data() + text->size()) number = whole(read);
  }
  if (number) value = *number;
}

void make_time(json::value& value) {
  const auto* text = value.if_string();
  if (!text || parse_time(*text)) return;
  if (auto ms = parse_iso_time(*text)) value = time_text(*ms);
}

void remove_nulls(json::value& value) {
  auto* object = value.if_object();
  if (!object) return;
  for (auto member = object->begin(); member != object->end();)
    member = member->value().is_null() ? object->stable_erase(member) : std::next(member);
}

struct Conversion {
  std::string_view member;
  void (*bring)(json::value&);
};
constexpr Conversion conversions[] = {{"product", make_text},
                                      {"author", make_text},
                                      {"title", make_text},
                                      {"text", make_text},
                                      {"customer_id", make_text},
                                      {"rating", make_number},
                                      {"created_at", make_time},
                                      {"attributes", remove_nulls},
                                      // Of a reply and of pictures.
                                      {"reply", bring_into_form},
                                      {"media", bring_into_form},
                                      {"width", make_number},
                                      {"height", make_number},
                                      {"alt", make_text},
                                      // Of a decision and of a report.
                                      {"held_at", make_time},
                                      {"note", make_text},
                                      {"report", bring_into_form},
                                      {"at", make_time},
                                      {"decided_at", make_time},
                                      // Of the facts of a product.
                                      {"name", make_text},
                                      {"brand", make_text},
                                      {"gtin", make_texts},
                                      {"mpn", make_texts},
                                      {"sku", make_texts}};

}  // namespace

Result<json::value> parse_unique(std::string_view text, std::size_t max_depth) {
  json::parse_options options;
  options.max_depth = max_depth;
  Parser parser(options);
  auto failed = parse(parser, text);
  if (parser.handler().names > max_names)
    return Error{ErrorCode::invalid_comment,
                 "This has more than " + std::to_string(max_names) + " names."};
  if (failed) {
    return Error{ErrorCode::invalid_comment, "This is not JSON: " + failed.message() + "."};
  }
  auto value = parser.handler().made.release();
  if (names_in(value) < parser.handler().names) {
    return invalid_comment(
        {{std::string(shortened(name_given_twice(text, options))), "is given twice"}});
  }
  return value;
}

void bring_into_form(json::value& row) {
  if (auto* array = row.if_array())
    for (auto& each : *array) bring_into_form(each);
  remove_nulls(row);
  auto* object = row.if_object();
  if (!object) return;
  for (auto& member : *object)
    for (const auto& [name, bring] : conversions)
      if (member.key() == name) bring(member.value());
  const auto* language = object->if_contains("language");
  if (language && *language == "") object->erase("language");
}

}  // namespace quire
