#include "base/decimal.h"

#include <array>
#include <charconv>

namespace quire {

void append_decimal(std::string& out, double number) {
  std::array<char, 400> text;  // any double has at most 343 characters
  auto end = std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed).ptr;
  out.append(text.begin(), end);
}

}  // namespace quire
