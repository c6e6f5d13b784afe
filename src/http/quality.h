// The parts of Accept headers and their weights (RFC 9110, 12.4.2).
#pragma once

#include <optional>
#include <string_view>

namespace quire::http {

constexpr int whole_weight = 1000;

std::string_view trimmed(std::string_view text);

// Removes the part before the separator from the text, and returns it without spaces around it.
std::string_view take(std::string_view& text, char separator);

// A weight in thousandths: "0.5" is 500. Absent: it is none. At most three digits follow the point.
std::optional<int> quality(std::string_view text);

// The weight among a range's parameters, "q=0.5"; 1000 where there is none. A malformed weight
// takes the range away: 0.
int weight_in(std::string_view parameters);

}  // namespace quire::http
