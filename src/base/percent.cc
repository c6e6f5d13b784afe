#include "base/percent.h"

namespace quire {

std::string percent_encode(std::string_view bytes) {
  constexpr std::string_view unreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr char hex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(bytes.size());
  for (char c : bytes) {
    if (unreserved.find(c) != unreserved.npos) {
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
