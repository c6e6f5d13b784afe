#include "store/dynamodb/items/reading.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>

#include "base/percent.h"
#include "dynamodb/json.h"
#include "model/validate.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
}

// CR LF and CR alone are ends of lines, as in what browsers and files send.
std::string without_returns(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      out += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      out += '\n';
  }
  return out;
}

// Whether the text can be shown; carriage returns are taken out of it first.
bool take_text(std::string_view text, std::string_view& field, std::string& rewritten) {
  field = text;
  if (std::none_of(text.begin(), text.end(), is_control)) return true;
  rewritten = without_returns(text);
  field = rewritten;
  return std::none_of(field.begin(), field.end(), is_control);
}

// A member of `data`. An absent one is empty.
struct Member {
  bool is_text;
  const json::string* text = nullptr;
};

// `typed`: values are as the service has them, {"S":"…"}.
Member member(const json::object& data, std::string_view name, bool typed) {
  auto* value = data.if_contains(name);
  auto* object = value && typed ? value->if_object() : nullptr;
  if (value && typed) value = object ? object->if_contains("S") : nullptr;
  bool absent = !data.contains(name) || (object && object->contains("NULL"));
  if (absent || (value && value->is_null())) return {true};
  if (!value || !value->is_string()) return {false};
  return {true, &value->get_string()};
}

std::string_view understand_data(const Said& data, Told& told, json::storage_ptr memory) {
  const json::object* texts = data.map;
  if (data.kind == Said::Kind::absent) return {};
  if (data.kind == Said::Kind::string) {
    boost::system::error_code no_json;
    told.parsed = json::parse(data.text, no_json, std::move(memory));
    texts = no_json ? nullptr : told.parsed.if_object();
    if (!texts) return "Its data is no JSON object.";
  }
  if (!texts) return "Its data is neither a JSON text nor a map.";
  struct Field {
    std::string_view name;
    std::string_view* text;
    std::string_view no_text, control;
  };
  const Field fields[] = {
      {"author", &told.author, "Its author is no text.", "Its author has control characters."},
      {"title", &told.title, "Its title is no text.", "Its title has control characters."},
      {"text", &told.text, "Its text is no text.", "Its text has control characters."}};
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    auto [is_text, found] = member(*texts, fields[i].name, data.kind == Said::Kind::map);
    if (!is_text) return fields[i].no_text;
    if (found && !take_text(*found, *fields[i].text, told.rewritten[i])) return fields[i].control;
  }
  return {};
}

// Keys that are not encoded as they must be are understood as far as they can be: hex in lower
// case, and bytes that stand for themselves.
std::string decode_loosely(std::string_view text) {
  std::string upper(text);
  for (std::size_t i = 0; i + 2 < upper.size(); ++i) {
    if (upper[i] != '%') continue;
    for (auto at : {i + 1, i + 2})
      upper[at] = static_cast<char>(std::toupper(static_cast<unsigned char>(upper[at])));
  }
  return percent_decode(upper).value_or(std::string(text));
}

// A list's key is the product and a part for each facet that the index has.
std::optional<std::string> product_in_lists(const Item& item) {
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto key = text_of(item, partition_attributes[i]);
    if (!key || !key->starts_with(product_prefix)) continue;
    key->remove_prefix(product_prefix.size());
    for (bool keyed : indexes[i].keyed) {
      auto end = keyed ? key->rfind('/') : key->npos;
      *key = key->substr(0, end);
    }
    return decode_loosely(*key);
  }
  return {};
}

// `parsed` holds a map as long as what was said of it is looked at.
Said said(const Item& item, std::string_view name, json::value& parsed) {
  auto at = item.find(name);
  if (at == item.end()) return {};
  if (at->second.type == Type::string) return {Said::Kind::string, at->second.text};
  if (at->second.type == Type::number) return {Said::Kind::number, at->second.text};
  boost::system::error_code no_json;
  parsed = json::parse(at->second.text, no_json, {}, parse_options);
  auto* typed = no_json ? nullptr : parsed.if_object();
  if (typed && typed->contains("NULL")) return {};
  auto* map = typed ? object_in(*typed, "M") : nullptr;
  if (map) return {Said::Kind::map, {}, map};
  return {Said::Kind::other};
}

}  // namespace

std::string_view understand(const Said& language, const Said& rating, const Said& data, Told& told,
                            json::storage_ptr memory) {
  auto spoken = language.kind == Said::Kind::string ? facets[language_facet].parse(language.text)
                                                    : std::nullopt;
  if (!spoken) return "Its language is not two or three lower-case letters.";
  bool written = rating.kind == Said::Kind::number || rating.kind == Said::Kind::string;
  auto stars = written ? facets[rating_facet].parse(rating.text) : std::nullopt;
  if (!stars) return "Its rating is not a whole number from 1 to 5.";
  told.language = language.text;
  told.cell = {*spoken, *stars};
  return understand_data(data, told, std::move(memory));
}

std::string_view understand_id(std::string_view text, Ulid& id) {
  auto parsed = Ulid::parse(text);
  // Keys are compared as texts, so there is one text for an id.
  if (!parsed || parsed->text() != text) return "Its id is not a ULID in upper case.";
  if (parsed->ms() > max_time_ms) return "Its id tells a time after the year 9999.";
  id = *parsed;
  return {};
}

bool is_listed(const Item& item) {
  if (!text_of(item, sort_attribute)) return false;
  return std::any_of(partition_attributes.begin(), partition_attributes.end(), [&](auto attribute) {
    return text_of(item, attribute).value_or("").starts_with(product_prefix);
  });
}

bool is_comment(const Item& item) {
  auto key = text_of(item, "PK");
  if (!key || !key->starts_with(comment_prefix) || text_of(item, "SK") != key) return false;
  return is_listed(item) || !item.contains(aside_attribute);
}

Judged judge(const Item& item) {
  if (!is_comment(item)) return {};
  Ulid id;
  auto reason = understand_id(text_of(item, "PK")->substr(comment_prefix.size()), id);
  json::value parsed;
  Told told{};
  if (reason.empty()) {
    json::value unused;
    reason = understand(said(item, "language", unused), said(item, "rating", unused),
                        said(item, "data", parsed), told);
  }
  if (!reason.empty()) return {{}, std::string(reason)};
  auto product = product_in_lists(item);
  if (!product) return {{}, "None of its index keys names a product."};
  if (auto wrong = check_product(*product)) return {{}, wrong->message};
  return {Comment{.id = id,
                  .product = std::move(*product),
                  .language = std::string(told.language),
                  .rating = static_cast<int>(told.cell[rating_facet]),
                  .author = std::string(told.author),
                  .title = std::string(told.title),
                  .text = std::string(told.text)},
          {}};
}

std::optional<Comment> comment_of(const Item& item) {
  return judge(item).comment;
}

std::optional<Damage> damage_of(const Item& item) {
  auto judged = judge(item);
  if (judged.reason.empty()) return {};
  return Damage{item.at("PK").text, std::move(judged.reason)};
}

std::optional<Placed> placed(const Item& item) {
  auto comment = comment_of(item);
  if (!comment) return {};
  auto values = cell(comment->language, comment->rating);
  return Placed{std::move(comment->product), comment->id, values};
}

}  // namespace quire::dynamodb
