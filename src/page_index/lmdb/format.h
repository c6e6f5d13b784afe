// The layout of a page index in LMDB: the rows beside its ranked sets.
// Format: docs/formats/pages-lmdb.md. Changing anything here is a new format version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "lmdb/ranked_set.h"
#include "model/facets.h"

namespace quire::page_index {

inline constexpr std::uint32_t format_version = 1;
inline constexpr std::string_view format_magic = "quire-pages";
std::string format_row();

// A block is eight list numbers: 0 for any rating, 1 to 5 for each rating. A product has one block
// for its lists of any language, and one for each language of its comments.
using Block = std::uint32_t;
inline constexpr Block max_block = 0x1FFFFFFF;

// The lists of one language of a product.
struct LanguageLists {
  FacetValue language;
  Block block;
  friend bool operator==(const LanguageLists&, const LanguageLists&) = default;
};

// The lists of a product. The row has no counts, unlike the row of a product in the embedded store.
struct ProductLists {
  Block block = 0;
  std::vector<LanguageLists> languages = {};  // sorted by language

  // The number of a list. Nothing: the product has no such list.
  std::optional<lmdb::List> list_number(const Cell& list) const;
  friend bool operator==(const ProductLists&, const ProductLists&) = default;
};

// The functions that decode throw std::runtime_error when the bytes are damaged.
std::string encode_product(const ProductLists& row);
ProductLists decode_product(std::string_view bytes);

std::string encode_mark(const change::Mark& mark);
change::Mark decode_mark(std::string_view bytes);

std::string encode_phase(change::Phase phase);
change::Phase decode_phase(std::string_view bytes);

std::string encode_number(std::uint32_t number);
std::uint32_t decode_number(std::string_view bytes);

}  // namespace quire::page_index
