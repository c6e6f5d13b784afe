// Filters: which comments of a product match.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/facets.h"
#include "model/schema.h"
#include "quire/page.h"
#include "quire/result.h"

namespace quire {

// What a filter wants of one facet. Texts are canonical, sorted, each there once. Of a flag the
// texts are "false" and "true", of a number its decimal digits.
struct Clause {
  FacetNumber number;
  FacetType type;
  std::string name;
  std::vector<std::string> any_of = {};
  std::vector<std::string> none_of = {};
  std::vector<std::string> all_of = {};
  std::optional<std::int64_t> min = {}, max = {};

  // Whether a comment with this value of the facet, or without a value, matches.
  bool matches(const std::optional<AttributeValue>& value) const;
  friend bool operator==(const Clause&, const Clause&) = default;
};

// `values` is what lists can select: for language and rating the wanted values, sorted, each once;
// none: any value. All that lists cannot select is in `clauses`. What a query says of ratings
// always becomes wanted values.
struct Filter {
  std::string product;
  std::array<std::vector<FacetValue>, facet_count> values;
  std::vector<Clause> clauses = {};            // sorted by number, each facet once
  std::vector<std::string> words = {};         // that a comment has: see words::plain_words()
  bool nothing = false;                        // it contradicts itself: no comment matches
  std::vector<FacetNumber> contradicted = {};  // the facets whose conditions no comment meets

  // The conditions on all other facets.
  Filter without(FacetNumber facet) const;
  // Whether no condition is left to clauses or words.
  bool is_of_values() const { return clauses.empty() && words.empty(); }
  bool restricts(std::size_t facet) const { return !values[facet].empty(); }
  // Whether `values` admit the cell. The clauses and words are not asked.
  bool matches(const Cell& cell) const;
  // The words are not asked: what a comment without a language has is what the store's index says.
  bool matches(const Comment& comment) const;
};

// Whether a number facet decides the order, and time only among equal numbers.
constexpr bool sorts_by_value(Sort sort) {
  switch (sort) {  // a new order does not compile until it is here
    case Sort::newest:
    case Sort::oldest:
      return false;
    case Sort::highest:
    case Sort::lowest:
      return true;
  }
  return false;
}

// The filter of a query, checked against the schema. Conditions on the same facet are joined.
// invalid_parameter: names the parameter at fault, as in "size", "not.size", "tags.all" or
// "helpful.min"; a facet that is not declared, a value that does not fit the type, a range of what
// is no number; "q", as words::parse_question(). facet_building.
Result<Filter> make_filter(const Query& query, const Schema& schema = {});
// What a sort may be, for messages.
inline constexpr std::string_view sort_forms =
    "sort is -created_at (newest first), created_at (oldest first), -rating (best first), rating "
    "(worst first), or -NAME or NAME of a number facet.";
// The facet that a query sorts by; no_facet where it sorts by time. invalid_parameter: it is not
// declared, or no number. facet_building.
Result<FacetNumber> sort_facet(const Query& query, const Schema& schema = {});

// Tells filters apart in cursors: a hash of the normalised filter, and of the facet sorted by where
// that is not the rating. Format: docs/formats/cursor.md
std::uint32_t fingerprint(const Filter& filter, FacetNumber sort_by = rating_number);

}  // namespace quire
