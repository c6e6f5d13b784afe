#include "store/dynamodb/adopted/mapping/key.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/hash.h"

namespace quire::adopted {
namespace {

using dynamodb::Attribute;
using dynamodb::Item;
using dynamodb::Type;

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
