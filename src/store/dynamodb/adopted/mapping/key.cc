#include "store/dynamodb/adopted/mapping/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/hash.h"

namespace quire::adopted {

namespace {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

Error no_key_pattern(std::string_view text) {
  return {ErrorCode::invalid_parameter,
          fmt::format("\"{}\" is no pattern of an index's partition key. Write {{product}} once, "
                      "{{language}} and {{rating}} where the key has them, and the text around "
                      "them, such as \"PRODUCT#{{product}}/{{language}}\".",
                      text)};
}

constexpr std::size_t head_size = 3;  // a type, and a length of 16 bits

// The text of a binary value is its base64, as the service writes it.
std::optional<std::string> binary_text(const Attribute& attribute) {
  boost::system::error_code no_json;
  auto value = boost::json::parse(attribute.text, no_json);
  const auto* object = no_json ? nullptr : value.if_object();
  const auto* text = object ? object->if_contains("B") : nullptr;
  if (!text || !text->is_string()) return {};
  return std::string(text->get_string());
}

bool append(std::string& out, const Item& item, const std::string& name) {
  auto at = item.find(name);
  if (at == item.end()) return false;
  const auto& attribute = at->second;
  std::optional<std::string> binary;
  if (attribute.type == Type::other && !(binary = binary_text(attribute))) return false;
  const std::string& text = binary ? *binary : attribute.text;
  if (text.size() > 0xFFFF) return false;
  out += attribute.type == Type::string ? 'S' : attribute.type == Type::number ? 'N' : 'B';
  out += static_cast<char>(text.size() >> 8);
  out += static_cast<char>(text.size());
  out += text;
  return true;
}

std::optional<Attribute> take(std::string_view& key) {
  if (key.size() < head_size) return {};
  auto byte = [&](std::size_t at) { return static_cast<unsigned char>(key[at]); };
  std::size_t size = byte(1) << 8 | byte(2);
  char type = key[0];
  if (key.size() < head_size + size) return {};
  std::string text(key.substr(head_size, size));
  key.remove_prefix(head_size + size);
  if (type == 'S') return Attribute{Type::string, std::move(text)};
  if (type == 'N') return Attribute{Type::number, std::move(text)};
  if (type != 'B') return {};
  return Attribute{Type::other, boost::json::serialize(boost::json::object{{"B", text}})};
}

}  // namespace

Result<KeyPattern> KeyPattern::parse(std::string_view text) {
  constexpr std::pair<std::string_view, Kind> placeholders[] = {
      {"product", Kind::product}, {"language", Kind::language}, {"rating", Kind::rating}};
  KeyPattern out;
  for (auto left = text; !left.empty();) {
    auto open = left.find_first_of("{}");
    if (open > 0) out.pieces_.push_back({Kind::text, std::string(left.substr(0, open))});
    if (open == left.npos) break;
    auto close = left.find('}', open);
    if (left[open] == '}' || close == left.npos) return no_key_pattern(text);
    auto name = left.substr(open + 1, close - open - 1);
    const auto* placeholder = std::find_if(std::begin(placeholders), std::end(placeholders),
                                           [&](const auto& each) { return each.first == name; });
    if (placeholder == std::end(placeholders)) return no_key_pattern(text);
    auto kind = placeholder->second;
    bool twice = std::any_of(out.pieces_.begin(), out.pieces_.end(),
                             [&](const Piece& piece) { return piece.kind == kind; });
    if (twice) return no_key_pattern(text);
    out.pieces_.push_back({kind});
    if (kind == Kind::language) out.keyed_[language_facet] = true;
    if (kind == Kind::rating) out.keyed_[rating_facet] = true;
    left.remove_prefix(close + 1);
  }
  bool product = std::any_of(out.pieces_.begin(), out.pieces_.end(),
                             [](const Piece& piece) { return piece.kind == Kind::product; });
  if (!product) return no_key_pattern(text);
  return out;
}

std::string KeyPattern::key_of(std::string_view product, const Cell& list) const {
  std::string out;
  for (const auto& piece : pieces_) {
    switch (piece.kind) {
      case Kind::text:
        out += piece.text;
        break;
      case Kind::product:
        out += product;
        break;
      case Kind::language:
        out += list_facets[language_facet].text(list[language_facet]);
        break;
      case Kind::rating:
        out += list_facets[rating_facet].text(list[rating_facet]);
        break;
    }
  }
  return out;
}

std::size_t index_by(const FacetSet& keyed) {
  auto at = std::find_if(indexes.begin(), indexes.end(),
                         [&](const Index& each) { return each.keyed == keyed; });
  return static_cast<std::size_t>(at - indexes.begin());
}

std::optional<Item> key_in(const KeyNames& names, const Item& item) {
  Item key;
  for (const auto& name : {names.partition, names.sort}) {
    if (name.empty()) continue;
    auto at = item.find(name);
    if (at == item.end()) return {};
    key.insert(*at);
  }
  return key;
}

std::optional<std::string> encode_key(const KeyNames& names, const Item& item) {
  std::string out;
  if (!append(out, item, names.partition)) return {};
  if (!names.sort.empty() && !append(out, item, names.sort)) return {};
  return out;
}

std::optional<Item> decode_key(const KeyNames& names, std::string_view key) {
  Item item;
  for (const auto& name : {names.partition, names.sort}) {
    if (name.empty()) continue;
    auto attribute = take(key);
    if (!attribute) return {};
    item.emplace(name, std::move(*attribute));
  }
  if (!key.empty()) return {};
  return item;
}

Ulid id_of(std::uint64_t created_ms, std::string_view key) {
  auto digest = sha256({key});
  std::array<std::uint8_t, 10> hash;
  std::copy_n(digest.begin(), hash.size(), hash.begin());
  return Ulid::make(created_ms, hash);
}

}  // namespace quire::adopted
