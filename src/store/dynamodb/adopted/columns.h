// Statistics of each attribute in a sample of items. Pure.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/item.h"

namespace quire::adopted {

// Whether so many of all are the rule, and the others are odd: at most one of twenty.
constexpr bool mostly(std::size_t some, std::size_t all) {
  return all > 0 && 20 * some >= 19 * all;
}

// The values of one path, see ItemValues, in all items that have it.
struct Column {
  std::string name;
  std::size_t present = 0;
  std::size_t others = 0;  // neither text nor number: a flag, a set, a list or another
  std::size_t numbers = 0;
  std::vector<std::string> values;  // texts, digits, and the JSON of what an attribute can hold

  // Whether the name has this word, in any case. Every name has the empty word.
  bool named(std::string_view word) const;
  // Whether the name is this word, in any case.
  bool is(std::string_view word) const;
  // Whether every value begins with the word "product", in any case.
  bool begins_with_product() const;
  bool scalar() const { return others == 0; }
  bool text() const { return scalar() && numbers == 0; }
  // Whether an attribute of a comment can hold the values.
  bool attribute() const;
  double mean_size() const;
  template <class Fits>
  bool all(Fits fits) const {
    return !values.empty() && std::all_of(values.begin(), values.end(), fits);
  }
  // Whether values that do not fit are odd ones.
  template <class Fits>
  bool mostly(Fits fits) const {
    auto some = std::count_if(values.begin(), values.end(), fits);
    return adopted::mostly(static_cast<std::size_t>(some), values.size());
  }
};
using Columns = std::map<std::string, Column>;
// An attribute that is a map, or a text of JSON, has a column for each value within it.
Columns columns_of(const std::vector<dynamodb::Item>& items);

// Characters that end a part of a key, and those that lie within ids, times and addresses, too.
inline constexpr std::string_view part_ends = "#|:", any_ends = "#|:/_-=.";
// What all texts begin with, up to the last of `ends`: "PRODUCT#". Empty: nothing.
std::string common_beginning(const std::vector<std::string>& texts, std::string_view ends);

// Where a time lies in every value of a column, but for odd ones.
struct TimePlace {
  std::string_view format;  // "iso8601"
  std::string pattern;      // empty: the whole value
};
std::optional<TimePlace> time_place(const Column& column);
// Whether a time lies anywhere in the value.
bool has_lone_time(std::string_view value);
// The times, in ms since 1970, of a column that has a place for them; 0: of an odd value.
std::vector<std::uint64_t> times_of(const Column& column);
// The format of these times as a mapping names it: that by which the texts sort as their times do,
// if there is one.
std::string format_of_times(const Column& column);

// A text in quotes, as TOML has it.
std::string quoted(std::string_view text);

// A name in the form of a comment's attributes: verifiedPurchase is verified_purchase. Empty: none.
std::string attribute_name(std::string_view name);

}  // namespace quire::adopted
