#include "base/base64.h"

#include <array>

namespace quire {
namespace {

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr auto values = [] {
  std::array<int, 256> table{};
  table.fill(-1);
  for (int i = 0; i < 64; ++i) table[static_cast<unsigned char>(alphabet[i])] = i;
  return table;
}();

}  // namespace

std::string base64url_encode(std::span<const std::uint8_t> bytes) {
  std::string out((bytes.size() * 4 + 2) / 3, '\0');
  char* at = out.data();
  std::uint32_t bits = 0;
  int held = 0;
  for (auto byte : bytes) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 6; held -= 6) *at++ = alphabet[bits >> (held - 6) & 63];
  }
  if (held > 0) *at = alphabet[bits << (6 - held) & 63];
  return out;
}

std::optional<std::vector<std::uint8_t>> base64url_decode(std::string_view text) {
  if (text.size() % 4 == 1) return {};
  std::vector<std::uint8_t> out(text.size() * 3 / 4);
  auto at = out.begin();
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    int value = values[static_cast<unsigned char>(c)];
    if (value < 0) return {};
    bits = bits << 6 | static_cast<unsigned>(value);
    held += 6;
    if (held >= 8) *at++ = static_cast<std::uint8_t>(bits >> (held -= 8));
  }
  if ((bits & ((1u << held) - 1)) != 0) return {};
  return out;
}

}  // namespace quire
