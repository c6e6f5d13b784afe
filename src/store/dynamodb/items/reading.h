// Reads comments out of items. Other programs may write items too, so each attribute is checked
// first. The rules: docs/formats/table.md. Nothing here sends anything.
#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/item.h"
#include "model/facets.h"
#include "quire/comment.h"

namespace quire::dynamodb {

// A damaged item: its place is that of a comment or a product, and it is no valid one.
struct Damage {
  std::string key;     // its PK, and its SK where that is another
  std::string reason;  // a sentence
};

// The undecoded value of a comment's attribute. It refers to the JSON or item it came from.
struct RawValue {
  enum class Kind { absent, string, number, map, other } kind = Kind::absent;
  std::string_view text = {};                // of a string or number
  const boost::json::object* map = nullptr;  // of a map: typed values by name
};

// A comment's language, rating and texts. The views refer to the raw values, or to the members
// below them.
struct CommentFields {
  std::string_view language;
  Cell cell;
  std::string_view author, title, text;
  Attributes attributes;
  boost::json::value parsed;             // in the caller's memory, if it gave some
  std::array<std::string, 3> rewritten;  // texts without their carriage returns
  std::string canonical;                 // the language, where its attribute has another form
};

// Fills `fields` and returns nothing; or returns a sentence that says why the values are no valid
// comment.
std::string_view parse_fields(const RawValue& language, const RawValue& rating,
                              const RawValue& data, CommentFields& fields,
                              boost::json::storage_ptr memory = {});

// Reads the id in a comment's key or sort key. Fills `id` and returns nothing; or returns the
// reason why it is no valid id.
std::string_view parse_id(std::string_view text, Ulid& id);

// How the keys of comments, and the keys of products and their lists, begin.
inline constexpr std::string_view comment_prefix = "COMMENT#";
inline constexpr std::string_view product_prefix = "PRODUCT#";

// Whether the item has a comment's key and was not set aside; it may be damaged.
bool is_comment(const Item& item);
// Whether an index has the item in a list of comments.
bool is_listed(const Item& item);

// A comment read from an item, or the reason why there is none.
struct CommentReading {
  std::optional<Comment> comment = {};
  // Why the item is damaged; empty: it is a comment, or another kind of item.
  std::string reason = {};
};
// Reads an item of the table or of an index. The key gives the id; attributes give language, rating
// and texts; the first index key that names a product gives it, GSI4PK before the others.
CommentReading read_comment(const Item& item);
// Nothing if the item is no comment, or a damaged one.
std::optional<Comment> comment_of(const Item& item);

// Nothing if the item is no comment, or a valid one.
std::optional<Damage> damage_of(const Item& item);
// Of an item of the registry of products, or of a leaderboard, that names no valid product; its key
// is PK and SK. Nothing if the item is another, or was set aside.
std::optional<Damage> misnamed(const Item& item);

}  // namespace quire::dynamodb
