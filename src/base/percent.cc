#include "base/percent.h"

#include <algorithm>

namespace quire {
namespace {

bool is_unreserved(char c) {
  auto small = c | 0x20;
  return ('a' <= small && small <= 'z') || ('0' <= c && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

std::string percent_encode(std::string_view bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), is_unreserved)) return std::string(bytes);
  constexpr char hex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(bytes.size());
  for (char c : bytes) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      out += {'%', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return {};
    auto high = hex.find(text[i + 1]), low = hex.find(text[i + 2]);
    if (high == hex.npos || low == hex.npos) return {};
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return out;
}

}  // namespace quire
