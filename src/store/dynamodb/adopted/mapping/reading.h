// Reads comments out of items of a table that others made. Each value is checked: other programs
// write the items. Pure.
#pragma once

#include <optional>
#include <string>

#include "dynamodb/item.h"
#include "quire/comment.h"
#include "store/dynamodb/adopted/mapping/key.h"
#include "store/dynamodb/adopted/mapping/mapping.h"

namespace quire::adopted {

// A comment, or why there is none.
struct Reading {
  std::optional<Comment> comment = {};
  std::string key = {};     // of the item: encode_key()
  std::string reason = {};  // a sentence: why the item is damaged; empty: it is a comment, or the
                            // mapping does not admit it, or it is not published
};

Reading read_item(const Mapping& mapping, const KeyNames& names, const dynamodb::Item& item);

// The id that the item's comment has: time and key suffice. Absent: one of them is missing.
std::optional<Ulid> id_in(const Mapping& mapping, const KeyNames& names,
                          const dynamodb::Item& item);

// Whether the mapping's `when` admits the item.
bool admits(const Mapping& mapping, const dynamodb::Item& item);

}  // namespace quire::adopted
