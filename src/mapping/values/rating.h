// Ratings of any scale as 1 to 5. Pure.
#pragma once

#include <string_view>
#include <variant>

namespace quire {

// Of exact halves.
enum class Rounding { refused, up, down };

// Why a value is no rating.
enum class NoRating {
  no_number,
  zero,      // or below
  above,     // the greatest
  half,      // exactly between two of 0 to 5, and rounding is refused
  no_scale,  // the greatest is no number above 0
};

// The nearest of 1 to 5 to value * 5 / max; above 0 and below a half it is 1. Numbers have a point
// or a comma before their fraction: "4,5".
std::variant<int, NoRating> rating_of(std::string_view value, std::string_view max,
                                      Rounding rounding);

}  // namespace quire
