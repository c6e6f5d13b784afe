// The primary key of an item as bytes, and the id of a comment made of it. Format:
// docs/formats/adopted.md. Also the patterns of the keys of indexes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"
#include "model/facets.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire::adopted {

// How the partition key of an index is made for a list: "PRODUCT#{product}/{language}/{rating}".
class KeyPattern {
 public:
  // invalid_parameter: {product} is not there once, {language} or {rating} twice, or the text has
  // another placeholder.
  static Result<KeyPattern> parse(std::string_view text);

  // Which facets the key has.
  const FacetSet& keyed() const { return keyed_; }
  // The key of the list, which has a value for each facet of the key.
  std::string key_of(std::string_view product, const Cell& list) const;

 private:
  enum class Kind { text, product, language, rating };
  struct Piece {
    Kind kind;
    std::string text = {};
  };
  std::vector<Piece> pieces_;
  FacetSet keyed_{};
};

// "byLang" of the index by these facets, among Quire's own.
std::size_t index_by(const FacetSet& keyed);

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
