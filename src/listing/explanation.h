// How a listing was read, as the HTTP interface and `quire explain` show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace quire {

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
  std::vector<std::string> skipped;     // lists known to be empty
  std::optional<std::string> residual;  // "rating 1 4 5"
  std::string summary;                  // one line
  std::vector<Start> start;
  double estimated_cost = 0;     // in the store's unit
  std::size_t read = 0;          // entries of lists
  std::size_t discarded = 0;     // entries that were read and are not shown
  std::size_t requests = 0;      // reads of lists
  double consumed_capacity = 0;  // read units billed; 0 where nothing is billed
  std::vector<Alternative> alternatives;
};

}  // namespace quire
