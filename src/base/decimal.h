// Numbers as plain decimal text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quire {

// A number with its noun.

// "1 comment", "2 comments".
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

// Appends the shortest decimal text that reads back as `number` and has no exponent: "0.38", "0",
// "1500". `number` is finite.
void append_decimal(std::string& out, double number);

}  // namespace quire
