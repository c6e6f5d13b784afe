// The primary key of an item as bytes, and the id of a comment made of it. Format:
// docs/formats/adopted.md
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "quire/ulid.h"

namespace quire::adopted {

// The names of a table's key attributes.
struct KeyNames {
  std::string partition;
  std::string sort = {};  // empty: the table has no sort key
};

// The key attributes alone. Absent: one is missing.
std::optional<dynamodb::Item> key_in(const KeyNames& names, const dynamodb::Item& item);

// Absent: an attribute is missing, or no text, number or binary value.
std::optional<std::string> encode_key(const KeyNames& names, const dynamodb::Item& item);
// Absent: the bytes are no key with these names.
std::optional<dynamodb::Item> decode_key(const KeyNames& names, std::string_view key);

// 48 bits of the time, 80 of a hash of the key.
Ulid id_of(std::uint64_t created_ms, std::string_view key);

}  // namespace quire::adopted
