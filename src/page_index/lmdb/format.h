// How a page index lies in LMDB: the rows beside its ranked sets.
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

// A block is eight list numbers: 0 for any rating, 1 to 5 for one. A product has a block for its
// lists of any language, and one for each language it has comments in.
using Block = std::uint32_t;
inline constexpr Block last_block = 0x1FFFFFFF;

struct LanguageRow {
  FacetValue language;
  Block block;
  friend bool operator==(const LanguageRow&, const LanguageRow&) = default;
};

struct ProductRow {
  Block block = 0;
  std::vector<LanguageRow> languages = {};  // sorted by language

  // Nothing: the product has no such list.
  std::optional<lmdb::List> list_number(const Cell& list) const;
  friend bool operator==(const ProductRow&, const ProductRow&) = default;
};

// Those that decode throw std::runtime_error when the bytes are none of theirs.
std::string encode_product(const ProductRow& row);
ProductRow decode_product(std::string_view bytes);

std::string encode_mark(const change::Mark& mark);
change::Mark decode_mark(std::string_view bytes);

std::string encode_phase(change::Phase phase);
change::Phase decode_phase(std::string_view bytes);

std::string encode_number(std::uint32_t number);
std::uint32_t decode_number(std::string_view bytes);

}  // namespace quire::page_index
