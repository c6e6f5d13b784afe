// How a listing was read, as the HTTP interface and `quire explain` show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quire {

// One form for all listings. A listing of lists leaves the members of bitmaps at 0. A listing over
// bitmaps has "bitmap" as its index and the terms of the filter as its lists, such as "rating 4 5";
// it has no residual or start. Beside a store of lists, its cost and alternative are those of
// fetching the documents.
struct Explanation {
  // Where the reading of a list begins.
  struct Start {
    std::string list;
    std::string key;  // JSON; empty: from the list's beginning
  };
  // A plan that was not chosen.
  struct Alternative {
    std::string summary;
    double cost;
  };

  std::string index;
  std::vector<std::string> lists;
  std::vector<std::string> skipped;  // lists that were not read, because counts call them empty
  // How old these counts are; absent: no list is skipped, or they are of the lists' state.
  std::optional<std::uint64_t> counts_age_ms = {};
  std::optional<std::string> residual;  // "rating 1 4 5"
  std::string summary;                  // one line
  std::vector<Start> start;
  double estimated_cost = 0;     // in the store's unit
  std::size_t read = 0;          // entries of lists, or ids of bitmaps
  std::size_t discarded = 0;     // of these, those that are not shown
  std::size_t requests = 0;      // reads of lists, or of bitmaps
  double consumed_capacity = 0;  // read units billed; 0 where nothing is billed
  std::vector<Alternative> alternatives;

  std::size_t blocks = 0;          // of bitmaps, that were looked at
  std::size_t blocks_skipped = 0;  // known to have no match, and passed over
  bool totals_kept = false;        // found from totals of the filter that were kept
  // From the opening of the listing to the page's number. The service measures it.
  std::uint64_t microseconds = 0;
};

}  // namespace quire
