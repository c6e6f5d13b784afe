#include "store/dynamodb/items/list_page.h"

#include <boost/json.hpp>

#include "dynamodb/json.h"
#include "model/document.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

// An attribute {"S":"…"}, {"N":"…"} or {"M":{…}}; null is absent.
Said said(const json::object& item, std::string_view name) {
  auto* attribute = item.if_contains(name);
  auto* object = attribute ? attribute->if_object() : nullptr;
  if (!object || object->size() != 1) return {attribute ? Said::Kind::other : Said::Kind::absent};
  const auto& [type, content] = *object->begin();
  auto* text = content.if_string();
  if (type == "S" && text) return {Said::Kind::string, *text};
  if (type == "N" && text) return {Said::Kind::number, *text};
  if (type == "M" && content.is_object()) return {Said::Kind::map, {}, &content.get_object()};
  return {type == "NULL" ? Said::Kind::absent : Said::Kind::other};
}

std::size_t weight(const json::object& item) {
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

// Why the item is no comment of the list; empty: `entry` is.
std::string_view read(const json::object& item, std::string_view product, const Cell& list,
                      json::monotonic_resource& memory, Listed& entry) {
  auto key = said(item, "PK"), sort = said(item, sort_attribute);
  bool same = key.text.starts_with(comment_prefix) &&
              key.text.substr(comment_prefix.size()) == sort.text &&
              said(item, "SK").text == key.text;
  if (!same) return "Its keys PK and SK are not COMMENT# and its GSISK.";
  auto reason = understand_id(sort.text, entry.id);
  if (!reason.empty()) return reason;
  Told told{};
  reason =
      understand(said(item, "language"), said(item, "rating"), said(item, "data"), told, &memory);
  if (!reason.empty()) return reason;
  if (!covers(list, told.cell)) return "It lies in a list of another language or rating.";
  entry.document = encode_document(CommentView{entry.id, product, told.language,
                                               static_cast<int>(told.cell[rating_facet]),
                                               told.author, told.title, told.text});
  return {};
}

}  // namespace

std::optional<ListAnswer> decode_list(std::string_view body, std::string_view product,
                                      const Cell& list) {
  // Nothing of the answer outlives this function but the documents.
  thread_local std::array<unsigned char, 65'536> room;
  json::monotonic_resource memory(room.data(), room.size());
  boost::system::error_code no_json;
  auto parsed = json::parse(body, no_json, &memory, parse_options);
  auto* answer = no_json ? nullptr : parsed.if_object();
  auto* found = answer ? answer->if_contains("Items") : nullptr;
  auto* items = found ? found->if_array() : nullptr;
  if (!items) return {};
  ListAnswer out{{}, true, {}, consumed_units(*answer)};
  out.entries.reserve(items->size());
  for (const auto& each : *items) {
    auto* item = each.if_object();
    if (!item) return {};
    Listed entry;
    auto reason = read(*item, product, list, memory, entry);
    if (!reason.empty()) {
      out.damaged.push_back({std::string(said(*item, "PK").text), std::string(reason)});
      continue;
    }
    out.entries.push_back(std::move(entry));
    out.billed_bytes += weight(*item);
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
