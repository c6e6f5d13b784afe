// The question that Quire answers: which comments are on this page, under this filter?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quire/comment.h"
#include "quire/facet.h"

namespace quire {

// The values are part of cursors: add, never reorder.
enum class Sort : std::uint8_t {
  newest = 0,
  oldest = 1,
  // By the number facet Query::sort_facet; newest first within a value, and comments without a
  // value last.
  highest = 2,  // greatest first
  lowest = 3,   // least first
};

// The values of one facet that a query wants. All conditions hold together.
struct FacetFilter {
  std::string facet;                      // the name of a declared facet, or language or rating
  std::vector<std::string> any_of = {};   // one of these; empty: any, or no value at all
  std::vector<std::string> none_of = {};  // none of these; a comment without a value matches
  std::vector<std::string> all_of = {};   // each of these: for tags
  std::optional<std::int64_t> min = {};   // inclusive: for numbers
  std::optional<std::int64_t> max = {};
};

struct Query {
  std::string product;                      // 1 to 256 bytes of UTF-8
  std::vector<std::string> languages = {};  // empty: any
  std::vector<int> ratings = {};            // 1 to 5; empty or all five: any
  std::size_t limit = 20;                   // 1 to 100
  std::vector<FacetFilter> facets = {};     // further conditions; all must hold
  std::string words = {};  // as a visitor types them: title or text has each one; empty: any
  Sort sort = Sort::newest;
  std::string sort_facet = "rating";       // that highest and lowest sort by
  std::optional<std::string> after = {};   // a cursor of an earlier page,
  std::optional<std::string> before = {};  // or a cursor of a later page,
  std::optional<std::uint64_t> page = {};  // or a page number from 1,
  std::optional<std::uint64_t> skip = {};  // or how many comments to skip: at most one of the four
  bool counts = false;                     // whether the page has `facets`
  bool explain = false;
};

struct Page {
  std::vector<Comment> comments;
  // Comments under this filter. Absent: a table without an index that holds every facet does not
  // count them.
  std::optional<std::uint64_t> total;
  std::uint64_t number = 1;  // of this page, from 1, counted at its limit; 0: pages have no numbers
  std::uint64_t count = 1;   // of pages; a listing without comments has one; 0: as above
  std::string numbers_missing;      // why the page index gives no numbers, as a sentence
  std::optional<std::string> next;  // cursors; absent at the ends
  std::optional<std::string> previous;
  std::vector<FacetCounts> facets;  // with `counts`: each facet under the others
  std::string facets_missing;       // why facets are left out there, as a sentence
  std::string plan;                 // one line, with `explain`
};

}  // namespace quire
