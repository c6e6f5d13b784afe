// Statistics of the columns of a sample, by which a first mapping is proposed. Pure.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

// Whether so many of all are the rule, and the others are odd: at most one of twenty.
constexpr bool mostly(std::size_t some, std::size_t all) {
  return all > 0 && 20 * some >= 19 * all;
}

// The values of one path in all records of a sample that have it.
struct Column {
  std::string name;
  std::size_t present = 0;
  std::size_t others = 0;  // neither text nor number: a flag, a set, a list or another
  std::size_t flags = 0;   // of these, true and false
  std::size_t numbers = 0;
  std::vector<std::string> values;  // texts, digits, true and false, and the JSON of what else an
                                    // attribute can hold

  // Whether the name has this word, in any case. Every name has the empty word.
  bool named(std::string_view word) const;
  // Whether the name is this word, in any case.
  bool is(std::string_view word) const;
  // Whether every value begins with the word "product", in any case.
  bool begins_with_product() const;
  bool scalar() const { return others == 0; }
  bool text() const { return scalar() && numbers == 0; }
  bool flag() const { return flags > 0 && flags == present; }
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
    return quire::mostly(static_cast<std::size_t>(some), values.size());
  }
};
using Columns = std::map<std::string, Column>;

// Characters that end a part of a key, and those that lie within ids, times and addresses, too.
inline constexpr std::string_view part_ends = "#|:", any_ends = "#|:/_-=.";
// What all texts begin with, up to the last of `ends`: "PRODUCT#". Empty: nothing.
std::string common_beginning(const std::vector<std::string>& texts, std::string_view ends);

// A text in quotes, as TOML has it.
std::string quoted(std::string_view text);

// A name in the form of a comment's attributes: verifiedPurchase is verified_purchase. `before`:
// what stands before a name that Quire keeps for itself. Empty: none.
std::string attribute_name(std::string_view name, std::string_view before);

// The text in small letters of ASCII.
std::string in_small_letters(std::string_view text);

}  // namespace quire
