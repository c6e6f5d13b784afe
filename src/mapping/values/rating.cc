#include "mapping/values/rating.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text.h"

namespace quire {
namespace {

constexpr std::size_t whole_digits = 4;
constexpr std::size_t fraction_digits = 12;  // that are exact

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// In units of a tenth of the last exact digit: another digit behind it counts as one unit, so that
// no more than a half is taken for a half. Absent: the text is no number from 0 to 9999.
std::optional<std::uint64_t> units_of(std::string_view text) {
  auto point = text.find_first_of(".,");
  auto whole = text.substr(0, point);
  auto fraction = point == text.npos ? "0" : text.substr(point + 1);
  if (!is_number(whole) || !is_number(fraction)) return {};
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size() - 1));
  if (whole.size() > whole_digits) return {};
  std::string digits(whole);
  digits += fraction.substr(0, fraction_digits);
  digits.resize(whole.size() + fraction_digits, '0');
  bool more = fraction.size() > fraction_digits &&
              fraction.find_first_not_of('0', fraction_digits) != fraction.npos;
  digits += more ? '1' : '0';
  return parse_integer<std::uint64_t>(digits);
}

}  // namespace

std::variant<int, NoRating> rating_of(std::string_view value, std::string_view max,
                                      Rounding rounding) {
  auto greatest = units_of(max);
  if (greatest.value_or(0) == 0) return NoRating::no_scale;
  bool negative = value.starts_with('-');
  auto units = units_of(negative ? value.substr(1) : value);
  if (!units) return NoRating::no_number;
  if (*units == 0 || negative) return NoRating::zero;
  if (*units > *greatest) return NoRating::above;
  auto stars = *units * 5 / *greatest;
  auto twice_rest = 2 * (*units * 5 % *greatest);
  if (twice_rest == *greatest && rounding == Rounding::refused) return NoRating::half;
  bool up = twice_rest > *greatest || (twice_rest == *greatest && rounding == Rounding::up);
  return std::max(1, static_cast<int>(stars) + (up ? 1 : 0));
}

}  // namespace quire
