// A filter in the terms of the index: facet numbers and codes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/numbers.h"
#include "bitmap_index/reading/levels.h"
#include "model/filter.h"
#include "model/schema.h"
#include "quire/comment.h"
#include "words/stemmers.h"

namespace quire::bitmap_index {

// Numbers from `low` to `high`, both included.
struct NumberRange {
  NumberCode low, high;
  bool has(const NumberCode& number) const { return low <= number && number <= high; }
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

// What a selection wants of one facet. All conditions hold together. An id without a value has none
// of the codes and no number.
struct Term {
  FacetNumber facet;
  bool several = false;            // an id may have several values: tags
  bool no_value = false;           // the id has no value
  std::vector<Code> any_of = {};   // sorted; empty: no condition
  std::vector<Code> none_of = {};  // sorted
  std::vector<Code> all_of = {};   // sorted
  // Of numbers: within one of these; empty: no condition. Sorted, apart from each other.
  std::vector<NumberRange> within = {};
  std::vector<NumberRange> outside = {};  // in none of these

  bool needs_value() const { return !any_of.empty() || !all_of.empty() || !within.empty(); }
  friend bool operator==(const Term&, const Term&) = default;
};

struct Selection {
  std::vector<Term> terms = {};         // all must hold; sorted by facet
  bool nothing = false;                 // nothing can match
  std::vector<std::string> words = {};  // that an id must have: see Reader::asked()
  // By which they are looked for, as the store's comments have them; 0 without words.
  words::Stemmers stemmers = 0;

  bool selects_all() const { return terms.empty() && words.empty() && !nothing; }

  // This selection with one more term, and without the terms of a facet.
  Selection with(Term term) const;
  Selection without(FacetNumber facet) const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// The selection of a filter. `stemmers`: those of the store's words, where the filter has words.
// Filters that mean the same give the same selection, as far as that is
// seen without looking at values: contradictions, values wanted twice, values both wanted and not.
Selection selection_of(std::uint64_t hash_key, const Filter& filter, words::Stemmers stemmers = 0);

// Whether an id with these values is selected by a selection without words. `values` are sorted by
// facet.
bool matches(const Selection& selection, std::span<const Value> values);

// The selection as the levels count it. Absent: they do not.
std::optional<Tally> tally_of(const Selection& selection);

// Different for different selections.
std::string bytes_of(const Selection& selection);

// The values of a comment in the ready facets of the schema, and in those being built for which
// `built` is true. The texts are those of `comment`.
std::vector<Value> values_of(std::uint64_t hash_key, const Schema& schema, const Comment& comment,
                             bool built = true);

}  // namespace quire::bitmap_index
