#include "base/percent.h"

#include <algorithm>
#include <array>

namespace quire {
namespace {

constexpr auto unreserved = [] {
  std::array<bool, 256> table{};
  for (unsigned char c : "0123456789-._~") table[c] = c != 0;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = true;
  return table;
}();

bool is_unreserved(char c) {
  return unreserved[static_cast<unsigned char>(c)];
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view bytes) {
  constexpr char hex[] = "0123456789ABCDEF";
  while (!bytes.empty()) {
    auto end = std::find_if_not(bytes.begin(), bytes.end(), is_unreserved);
    out.append(bytes.begin(), end);
    bytes.remove_prefix(static_cast<std::size_t>(end - bytes.begin()));
    if (bytes.empty()) return;
    auto byte = static_cast<unsigned char>(bytes[0]);
    out += {'%', hex[byte >> 4], hex[byte & 15]};
    bytes.remove_prefix(1);
  }
}

std::string percent_encode(std::string_view bytes) {
  std::string out;
  append_percent_encoded(out, bytes);
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
