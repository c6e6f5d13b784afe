#include "store/dynamodb/listed.h"

#include <boost/json.hpp>

#include "model/document.h"
#include "store/dynamodb/layout.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

// The text of {"S":"…"} or {"N":"…"}.
std::optional<std::string_view> content(const json::object& item, std::string_view name,
                                        std::string_view type) {
  auto* attribute = item.if_contains(name);
  auto* object = attribute ? attribute->if_object() : nullptr;
  auto* text = object ? object->if_contains(type) : nullptr;
  if (!text || !text->is_string()) return {};
  return std::string_view(text->get_string());
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

std::optional<Listed> listed(const json::object& item, std::string_view product,
                             json::monotonic_resource& memory) {
  auto key = content(item, sort_attribute, "S");
  auto id = key ? Ulid::parse(*key) : std::nullopt;
  auto language = content(item, "language", "S");
  auto rating = content(item, "rating", "N");
  auto text = content(item, "data", "S");
  if (!id || !language || !rating || !text) return {};
  if (!facets[language_facet].parse(*language)) return {};
  auto value = facets[rating_facet].parse(*rating);
  auto data = read_data(*text, &memory);
  if (!value || !data) return {};
  return Listed{*id, encode_document(CommentView{*id, product, *language, static_cast<int>(*value),
                                                 data->author, data->title, data->text})};
}

}  // namespace

std::optional<ListAnswer> decode_list(std::string_view body, std::string_view product) {
  // Nothing of the answer outlives this function but the documents.
  thread_local std::array<unsigned char, 65'536> room;
  json::monotonic_resource memory(room.data(), room.size());
  boost::system::error_code no_json;
  auto parsed = json::parse(body, no_json, &memory);
  auto* answer = no_json ? nullptr : parsed.if_object();
  auto* found = answer ? answer->if_contains("Items") : nullptr;
  auto* items = found ? found->if_array() : nullptr;
  if (!items) return {};
  ListAnswer out{{}, true, {}, consumed_units(*answer)};
  out.entries.reserve(items->size());
  for (const auto& each : *items) {
    auto* item = each.if_object();
    auto entry = item ? listed(*item, product, memory) : std::nullopt;
    if (!entry) return {};
    out.entries.push_back(std::move(*entry));
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
