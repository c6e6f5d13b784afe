// Reads comments out of items of a table that others made. Each value is checked: other programs
// write the items. Pure.
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "quire/comment.h"
#include "store/dynamodb/adopted/mapping/key.h"
#include "store/dynamodb/adopted/mapping/mapping.h"

namespace quire::adopted {

// Of one item, which must outlive it.
class ItemValues {
 public:
  explicit ItemValues(const dynamodb::Item& item) : item_(item) {}

  // "title" is an attribute; "data.title" lies in the map data, or in its text of JSON. An
  // attribute whose own name is the path comes first. Null: there is no such value.
  const dynamodb::Attribute* at(const std::string& path);

 private:
  const dynamodb::Item& item_;
  std::map<std::string, std::optional<boost::json::object>, std::less<>> members_;  // by attribute
  std::map<std::string, std::optional<dynamodb::Attribute>> within_;                // by path
};

// The attribute of an item in which the value of a path lies.
std::string_view root_of(std::string_view path);

// The paths of all values within a map or a text of JSON, which the attribute of this name has.
// Empty: it has neither.
std::map<std::string, dynamodb::Attribute> values_within(const std::string& name,
                                                         const dynamodb::Attribute& attribute);

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
