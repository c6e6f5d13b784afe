#include "store/dynamodb/items/reading.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <boost/json.hpp>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/validate.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"

namespace quire::dynamodb {

void DamagedItems::note(const Damage& damage) {
  ++total_;
  if (!due(damage.key, std::chrono::steady_clock::now())) return;
  spdlog::warn("{} It is left out. quire verify names all such items.", shown(damage));
}

bool DamagedItems::due(const std::string& key, Time now) {
  std::lock_guard lock(mutex_);
  auto at = logged_.find(key);
  if (at != logged_.end() && now < at->second + silence) return false;
  if (at == logged_.end() && logged_.size() >= max_keys) {
    std::erase_if(logged_, [&](const auto& each) { return now >= each.second + silence; });
    if (logged_.size() >= max_keys) return false;
  }
  logged_.insert_or_assign(key, now);
  return true;
}

std::string shown(const Damage& damage) {
  return "Item " + boost::json::serialize(boost::json::string(damage.key)) +
         " is damaged: " + damage.reason;
}

Error damaged_answer() {
  return {ErrorCode::unavailable, "An answer of the table is damaged. Try again in a moment."};
}

Error busy_comment() {
  return {ErrorCode::unavailable,
          "Other writes to the same comment got in the way. Try again in a moment."};
}

Error damaged_comment() {
  return {ErrorCode::not_found,
          "The comment with this id is damaged in the table, and left out: quire verify tells why. "
          "It can be deleted."};
}

namespace {

namespace json = boost::json;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
}

// Whether the text has no control characters once its carriage returns are removed.
bool take_text(std::string_view text, std::string_view& field, std::string& rewritten) {
  field = text;
  if (std::none_of(text.begin(), text.end(), is_control)) return true;
  rewritten = without_returns(text);
  field = rewritten;
  return std::none_of(field.begin(), field.end(), is_control);
}

// A member of `data`. An absent member is an empty text.
struct Member {
  bool is_text;
  const json::string* text = nullptr;
  bool is_there = false;
};

// `typed`: values have the service's form, {"S":"…"}.
Member member(const json::object& data, std::string_view name, bool typed) {
  auto* value = data.if_contains(name);
  auto* object = value && typed ? value->if_object() : nullptr;
  if (value && typed) value = object ? object->if_contains("S") : nullptr;
  bool is_there = data.contains(name);
  bool absent = !is_there || (object && object->contains("NULL"));
  if (absent || (value && value->is_null())) return {true, nullptr, is_there};
  if (!value || !value->is_string()) return {false};
  return {true, &value->get_string(), is_there};
}

// Reads the members that comments seldom have. `typed`: as above.
std::string_view parse_rest(const json::object& data, bool typed, CommentFields& fields) {
  json::object untyped;
  for (const char* name : {"media", "reply", "status", "reason", "note", "held_by", "held_at",
                           "decided", "product", "customer"}) {
    const auto* value = typed ? data.if_contains(name) : nullptr;
    if (value) untyped[name] = plain(*value);
  }
  const auto& members = typed ? untyped : data;
  std::vector<FieldError> errors;
  const auto *media = members.if_contains("media"), *reply = members.if_contains("reply");
  if (media && !media->is_null()) fields.media = media_in(*media, errors);
  if (reply && !reply->is_null()) fields.reply = reply_in(*reply, true, errors);
  if (!errors.empty()) return "Its media or its reply is not as Quire writes it.";
  auto moderation = moderation_of(members);
  if (!moderation)
    return "Its status, or a member of its data beside it, is not as Quire writes it.";
  fields.moderation = std::move(*moderation);
  fields.product = text_in(members, "product");
  const auto* customer = members.if_contains("customer");
  if (!customer || customer->is_null()) return {};
  fields.customer = CustomerHash::parse(text_in(members, "customer"));
  if (!fields.customer) return "Its customer is no hash as Quire writes it.";
  return {};
}

std::string_view parse_texts(const RawValue& data, CommentFields& fields,
                             json::storage_ptr memory) {
  const json::object* texts = data.map;
  if (data.kind == RawValue::Kind::absent) return {};
  if (data.kind == RawValue::Kind::string) {
    boost::system::error_code no_json;
    fields.parsed = json::parse(data.text, no_json, std::move(memory));
    texts = no_json ? nullptr : fields.parsed.if_object();
    if (!texts) return "Its data is no JSON object.";
  }
  if (!texts) return "Its data is neither a JSON text nor a map.";
  struct TextField {
    std::string_view name;
    std::string_view* text;
    std::string_view no_text, control;
  };
  const TextField texts_read[] = {
      {"author", &fields.author, "Its author is no text.", "Its author has control characters."},
      {"title", &fields.title, "Its title is no text.", "Its title has control characters."},
      {"text", &fields.text, "Its text is no text.", "Its text has control characters."}};
  std::size_t known = 0;
  for (std::size_t i = 0; i < std::size(texts_read); ++i) {
    auto [is_text, found, is_there] =
        member(*texts, texts_read[i].name, data.kind == RawValue::Kind::map);
    known += is_there;
    if (!is_text) return texts_read[i].no_text;
    if (found && !take_text(*found, *texts_read[i].text, fields.rewritten[i]))
      return texts_read[i].control;
  }
  bool typed = data.kind == RawValue::Kind::map;
  auto* attributes = texts->if_contains("attributes");
  known += attributes != nullptr;
  if (texts->size() > known) {
    auto reason = parse_rest(*texts, typed, fields);
    if (!reason.empty()) return reason;
  }
  json::value untyped = attributes && typed ? plain(*attributes) : json::value();
  if (attributes && typed) attributes = &untyped;
  if (!attributes || attributes->is_null()) return {};
  auto read = attributes_of(*attributes);
  if (!read) return "Its attributes are not as Quire writes them.";
  fields.attributes = std::move(*read);
  return {};
}

// Decodes keys that are not encoded exactly as Quire encodes them, too: hex digits in lower case,
// and bytes that should have been encoded.
std::string decode_loosely(std::string_view text) {
  std::string upper(text);
  for (std::size_t i = 0; i + 2 < upper.size(); ++i) {
    if (upper[i] != '%') continue;
    for (auto at : {i + 1, i + 2})
      upper[at] = static_cast<char>(std::toupper(static_cast<unsigned char>(upper[at])));
  }
  return percent_decode(upper).value_or(std::string(text));
}

// A list's key is the product, a value for each facet that the index has, and
// perhaps a part.
std::optional<std::string> product_in_lists(const Item& item) {
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto key = text_of(item, partition_attributes[i]);
    if (!key || !key->starts_with(product_prefix)) continue;
    key = without_part(key->substr(product_prefix.size()));
    for (bool keyed : indexes[i].keyed) {
      auto end = keyed ? key->rfind('/') : key->npos;
      *key = key->substr(0, end);
    }
    return decode_loosely(*key);
  }
  return {};
}

// `parsed` holds the map that the value refers to.
RawValue raw_value(const Item& item, std::string_view name, json::value& parsed) {
  auto at = item.find(name);
  if (at == item.end()) return {};
  if (at->second.type == Type::string) return {RawValue::Kind::string, at->second.text};
  if (at->second.type == Type::number) return {RawValue::Kind::number, at->second.text};
  boost::system::error_code no_json;
  parsed = json::parse(at->second.text, no_json, {}, parse_options);
  auto* typed = no_json ? nullptr : parsed.if_object();
  if (typed && typed->contains("NULL")) return {};
  auto* map = typed ? object_in(*typed, "M") : nullptr;
  if (map) return {RawValue::Kind::map, {}, map};
  return {RawValue::Kind::other};
}

}  // namespace

std::string_view parse_fields(const RawValue& language, const RawValue& rating,
                              const RawValue& data, CommentFields& fields,
                              json::storage_ptr memory) {
  fields.language = language.kind == RawValue::Kind::string ? language.text : std::string_view();
  fields.canonical = canonical_language(fields.language).value_or("");
  if (fields.canonical != fields.language) fields.language = fields.canonical;
  auto known_language = list_facets[language_facet].parse(fields.language);
  if (!known_language) return "Its language is not a language tag such as en, pt-BR or zh-Hant.";
  bool written = rating.kind == RawValue::Kind::number || rating.kind == RawValue::Kind::string;
  auto known_rating = written ? list_facets[rating_facet].parse(rating.text) : std::nullopt;
  if (!known_rating) return "Its rating is not a whole number from 1 to 5.";
  fields.cell = {*known_language, *known_rating};
  return parse_texts(data, fields, std::move(memory));
}

std::string_view parse_id(std::string_view text, Ulid& id) {
  auto parsed = Ulid::parse(text);
  // Keys are compared as texts, so an id has exactly one text.
  if (!parsed || parsed->text() != text) return "Its id is not a ULID in upper case.";
  if (parsed->ms() > max_time_ms) return "Its id has a time after the year 9999.";
  id = *parsed;
  return {};
}

bool is_listed(const Item& item) {
  if (!text_of(item, sort_attribute)) return false;
  if (text_of(item, queue_attribute).value_or("").starts_with(queue_prefix)) return true;
  return std::any_of(partition_attributes.begin(), partition_attributes.end(), [&](auto attribute) {
    return text_of(item, attribute).value_or("").starts_with(product_prefix);
  });
}

namespace {

bool has_comment_key(const Item& item) {
  auto key = text_of(item, "PK");
  return key && key->starts_with(comment_prefix) && text_of(item, "SK") == key;
}

}  // namespace

bool is_removed(const Item& item) {
  return has_comment_key(item) && !is_listed(item) && item.contains(removed_attribute);
}

bool is_comment(const Item& item) {
  if (!has_comment_key(item)) return false;
  return is_listed(item) || !(item.contains(aside_attribute) || item.contains(removed_attribute));
}

CommentReading read_comment(const Item& item) {
  if (!is_comment(item)) return {};
  Ulid id;
  auto reason = parse_id(text_of(item, "PK")->substr(comment_prefix.size()), id);
  json::value parsed;
  CommentFields fields{};
  if (reason.empty()) {
    json::value unused;
    reason = parse_fields(raw_value(item, "language", unused), raw_value(item, "rating", unused),
                          raw_value(item, "data", parsed), fields);
  }
  if (!reason.empty()) return {{}, std::string(reason)};
  auto product = product_in_lists(item);
  if (!product && !fields.product.empty()) product = std::move(fields.product);
  if (!product) return {{}, "None of its index keys names a product, and neither does its data."};
  if (auto wrong = check_product(*product); !wrong) return {{}, wrong.error().message};
  return {Comment{.id = id,
                  .product = std::move(*product),
                  .language = std::string(fields.language),
                  .rating = static_cast<int>(fields.cell[rating_facet]),
                  .author = std::string(fields.author),
                  .title = std::string(fields.title),
                  .text = std::string(fields.text),
                  .attributes = std::move(fields.attributes),
                  .media = std::move(fields.media),
                  .reply = std::move(fields.reply),
                  .moderation = std::move(fields.moderation),
                  .customer = fields.customer},
          {}};
}

std::optional<Comment> comment_of(const Item& item) {
  return read_comment(item).comment;
}

std::optional<Damage> damage_of(const Item& item) {
  auto reading = read_comment(item);
  if (reading.reason.empty()) return {};
  return Damage{item.at("PK").text, std::move(reading.reason)};
}

std::optional<Damage> misnamed(const Item& item) {
  auto key = text_of(item, "PK"), sort = text_of(item, "SK");
  if (!key || !sort || item.contains(aside_attribute)) return {};
  bool registered = key == products_partition;
  if (!registered && !is_leader(item)) return {};
  auto named = check_product(registered ? std::string(*sort) : product_in(item).value_or(""));
  if (named) return {};
  return Damage{
      fmt::format("{} {}", *key, *sort),
      fmt::format("It is in {}, and names no product. {}",
                  registered ? "the list of products" : "a leaderboard", named.error().message)};
}

}  // namespace quire::dynamodb
