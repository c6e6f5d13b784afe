// Numbers as plain decimal text.
#pragma once

#include <string>

namespace quire {

// Appends the shortest decimal text that reads back as `number` and has no exponent: "0.38", "0",
// "1500". `number` is finite.
void append_decimal(std::string& out, double number);

}  // namespace quire
