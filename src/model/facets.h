// The facets that lists are keyed by, as data: such a facet is a row of a table, and its values are
// numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

// A rating, or a language with its script and region packed:
//   bits 31 to 45: the language's letters, 5 bits each, a is 1; an absent third letter is 0
//   bits 11 to 30: the script's four letters in the same way; 0 is no script
//   bits 0 to 10: 0 is no region; 1 + its number; or 1024 + its two letters as above
// Languages without script and region sort as their texts do. 0 is no value.
using FacetValue = std::uint64_t;
inline constexpr FacetValue any = 0;  // in a list or filter: every value

// Their values are places in a Cell.
enum ListFacet : std::size_t { language_facet, rating_facet, facet_count };

// A language and a rating, each of which may be `any`. It names a list; without `any` it says in
// which lists a comment is.
using Cell = std::array<FacetValue, facet_count>;

struct ListFacetRow {
  std::string_view name;
  std::size_t domain;  // the number of values; 0: an open set
  std::optional<FacetValue> (*parse)(std::string_view);
  std::string (*text)(FacetValue);
  std::string_view wanted;  // the form of a value, for messages
};

// The tag under today's codes, in its canonical case and with hyphens: "en-US" of "EN_us", "he" of
// "iw". Absent: the text is no language tag, or has more than language, script and region.
std::optional<std::string> canonical_language(std::string_view text);

extern const std::array<ListFacetRow, facet_count> list_facets;

// The values must be valid.
Cell cell(std::string_view language, int rating);

// Whether the list `list` holds the comments of `cell`.
bool covers(const Cell& list, const Cell& cell);

// Indexes as data: an index is the family of lists with the same facets in their keys. A new facet
// adds rows, not branches.
using FacetSet = std::array<bool, facet_count>;

struct Index {
  std::string_view name;
  FacetSet keyed;
};

inline constexpr std::array<Index, 4> indexes = {{
    {"all", {false, false}},
    {"byLang", {true, false}},
    {"byRating", {false, true}},
    {"byLangAndRating", {true, true}},
}};

// In how many parts the lists of each index lie. A comment lies in one part of
// each of its lists, so a list that is written to often has several partitions
// of a table.
using Parts = std::array<std::uint8_t, indexes.size()>;
inline constexpr Parts undivided = {1, 1, 1, 1};
inline constexpr std::uint8_t max_parts = 16;

// The list of `index` that has the comments of `cell`.
Cell list_of(const Index& index, const Cell& cell);

// The list's name: "PRODUCT#42", "PRODUCT#42/en", "PRODUCT#42/5",
// "PRODUCT#42/en/5". The product is percent-encoded, so that no product can
// imitate the list of another. The name of a part, but of the first, ends with
// its number: "PRODUCT#42/5#part2".
std::string list_key(std::string_view product, const Cell& list, std::size_t part = 0);

}  // namespace quire
