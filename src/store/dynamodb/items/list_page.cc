#include "store/dynamodb/items/list_page.h"

#include <boost/json.hpp>

#include "model/document.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

// An attribute {"S":"…"}, {"N":"…"} or {"M":{…}}; a null is absent.
RawValue decode_value(const json::object& item, std::string_view name) {
  auto* attribute = item.if_contains(name);
  auto* object = attribute ? attribute->if_object() : nullptr;
  if (!object || object->size() != 1)
    return {attribute ? RawValue::Kind::other : RawValue::Kind::absent};
  const auto& [type, content] = *object->begin();
  auto* text = content.if_string();
  if (type == "S" && text) return {RawValue::Kind::string, *text};
  if (type == "N" && text) return {RawValue::Kind::number, *text};
  if (type == "M" && content.is_object()) return {RawValue::Kind::map, {}, &content.get_object()};
  return {type == "NULL" ? RawValue::Kind::absent : RawValue::Kind::other};
}

std::size_t billed_bytes_of(const json::object& item) {
  std::size_t bytes = 0;
  for (const auto& [name, attribute] : item) {
    auto* object = attribute.if_object();
    if (!object || object->size() != 1) continue;
    const auto& [type, text] = *object->begin();
    if (!text.is_string()) continue;
    auto size = text.get_string().size();
    bytes += name.size() + (type == "N" ? billed_number(size) : size);
  }
  return bytes;
}

// Fills `entry` and returns nothing; or returns the reason why the item is no comment of the list.
std::string_view read_entry(const json::object& item, std::string_view product, const Cell& list,
                            json::monotonic_resource& memory, ListEntry& entry) {
  auto key = decode_value(item, "PK"), sort = decode_value(item, sort_attribute);
  bool same = key.text.starts_with(comment_prefix) &&
              key.text.substr(comment_prefix.size()) == sort.text &&
              decode_value(item, "SK").text == key.text;
  if (!same) return "Its keys PK and SK are not COMMENT# and its GSISK.";
  auto reason = parse_id(sort.text, entry.id);
  if (!reason.empty()) return reason;
  CommentFields fields{};
  reason = parse_fields(decode_value(item, "language"), decode_value(item, "rating"),
                        decode_value(item, "data"), fields, &memory);
  if (!reason.empty()) return reason;
  if (fields.moderation.status != CommentStatus::published)
    return "It is not published, and lies in a list.";
  if (!covers(list, fields.cell)) return "It lies in a list of another language or rating.";
  entry.document = encode_document(
      CommentView{entry.id, product, fields.language, static_cast<int>(fields.cell[rating_facet]),
                  fields.author, fields.title, fields.text, fields.attributes, nullptr,
                  fields.customer, &fields.media, &fields.reply});
  return {};
}

}  // namespace

std::optional<ListPage> decode_list_page(std::string_view body, std::string_view product,
                                         const Cell& list) {
  // Only the documents outlive this function, so the rest is parsed into memory that is kept.
  thread_local std::array<unsigned char, 65'536> room;
  json::monotonic_resource memory(room.data(), room.size());
  boost::system::error_code no_json;
  auto parsed = json::parse(body, no_json, &memory, parse_options);
  auto* answer = no_json ? nullptr : parsed.if_object();
  auto* found = answer ? answer->if_contains("Items") : nullptr;
  auto* items = found ? found->if_array() : nullptr;
  if (!items) return {};
  ListPage out{{}, true, {}, consumed_units(*answer)};
  out.entries.reserve(items->size());
  for (const auto& each : *items) {
    auto* item = each.if_object();
    if (!item) return {};
    ListEntry entry;
    auto reason = read_entry(*item, product, list, memory, entry);
    if (!reason.empty()) {
      out.damaged.push_back({std::string(decode_value(*item, "PK").text), std::string(reason)});
      continue;
    }
    out.entries.push_back(std::move(entry));
    out.billed_bytes += billed_bytes_of(*item);
  }
  auto* last = answer->if_contains("LastEvaluatedKey");
  if (!last || last->is_null()) return out;
  out.end = false;
  if (!out.entries.empty()) return out;
  out.last = decode_item(*last);
  if (!out.last) return {};
  return out;
}

}  // namespace quire::dynamodb
