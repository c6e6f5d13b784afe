// Items as comments. Other programs write them, too, so each attribute is checked before it is
// believed. The rules: docs/formats/table.md. Nothing here sends anything.
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

// A damaged item: it lies among the comments and gives none.
struct Damage {
  std::string key;     // its PK
  std::string reason;  // a sentence
};

// An attribute of a comment, wherever it was decoded from. It lives as long as that.
struct Said {
  enum class Kind { absent, string, number, map, other } kind = Kind::absent;
  std::string_view text = {};                // of a string or number
  const boost::json::object* map = nullptr;  // of a map: typed values by name
};

// Language, rating and texts, understood. The views are into what was said, or into the rest.
struct Told {
  std::string_view language;
  Cell cell;
  std::string_view author, title, text;
  boost::json::value parsed;             // may live in memory of the caller's
  std::array<std::string, 3> rewritten;  // texts that had carriage returns
};

// Empty: `told` is filled. Else a sentence that says why the comment cannot be understood.
std::string_view understand(const Said& language, const Said& rating, const Said& data, Told& told,
                            boost::json::storage_ptr memory = {});

// The id that a comment's key or sort key names. Empty: `id` is filled. Else the reason.
std::string_view understand_id(std::string_view text, Ulid& id);

// How the keys of comments, and the keys of products and their lists, begin.
inline constexpr std::string_view comment_prefix = "COMMENT#";
inline constexpr std::string_view product_prefix = "PRODUCT#";

// Whether the item has a comment's key and was not set aside. It may be damaged.
bool is_comment(const Item& item);
// Whether any index has the item in a list of comments.
bool is_listed(const Item& item);

// What an item is, as a comment.
struct Judged {
  std::optional<Comment> comment = {};
  std::string reason = {};  // why it is damaged; empty: it is a comment, or is about something else
};
// Of an item out of the table, or out of an index. Its key tells the id, its attributes tell
// language, rating and texts. Of the product its index keys tell: GSI4PK first, then the others.
Judged judge(const Item& item);
// Nothing if it is no comment, or a damaged one.
std::optional<Comment> comment_of(const Item& item);

// Nothing if it is no comment, or one that is understood.
std::optional<Damage> damage_of(const Item& item);

// Where a comment belongs.
struct Placed {
  std::string product;
  Ulid id;
  Cell cell;
};
// Nothing if it is no comment, or a damaged one.
std::optional<Placed> placed(const Item& item);

}  // namespace quire::dynamodb
