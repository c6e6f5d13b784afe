// Facets: the attributes by which comments are filtered, counted and sorted.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quire {

// The values are part of stores: add, never reorder.
enum class FacetType : std::uint8_t {
  flag = 0,    // true or false
  choice = 1,  // one text
  tags = 2,    // up to 16 texts
  number = 3,  // a whole number; a listing can be sorted by it
};

struct Facet {
  std::string name;  // of the attribute
  FacetType type;
  std::vector<std::string> values = {};  // all values of a closed choice; empty: any value

  friend bool operator==(const Facet&, const Facet&) = default;
};

struct FacetStatus {
  enum class State : std::uint8_t { ready = 0, building = 1, dropping = 2 };
  Facet facet;
  State state = State::ready;
  double progress = 1;  // of building, from 0 to 1

  friend bool operator==(const FacetStatus&, const FacetStatus&) = default;
};

// The numbers of comments with each value of a facet, under all other facets of a filter.
struct FacetCounts {
  std::string facet;
  FacetType type;
  // Of a flag "true" and "false"; of a rating "1" to "5"; of tags and an open choice the 100 most
  // frequent. Values without comments are left out. Of other numbers empty.
  std::vector<std::pair<std::string, std::uint64_t>> values = {};
  // Of numbers the least and the greatest; 0 where no comment has one.
  std::int64_t min = 0, max = 0;
  std::uint64_t comments = 0;  // that have a value
};

}  // namespace quire
