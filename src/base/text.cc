#include "base/text.h"

#include <algorithm>

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

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr auto values = [] {
  std::array<int, 256> table{};
  table.fill(-1);
  for (int i = 0; i < 64; ++i) table[static_cast<unsigned char>(alphabet[i])] = i;
  return table;
}();

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

std::string base64url_encode(std::span<const std::uint8_t> bytes) {
  std::string out((bytes.size() * 4 + 2) / 3, '\0');
  char* at = out.data();
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    std::uint32_t bits = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
    for (int shift = 18; shift >= 0; shift -= 6) *at++ = alphabet[bits >> shift & 63];
  }
  if (bytes.empty()) return out;
  std::uint32_t bits = bytes[0] << 16 | (bytes.size() > 1 ? bytes[1] << 8 : 0);
  for (int shift = 18; at != out.data() + out.size(); shift -= 6)
    *at++ = alphabet[bits >> shift & 63];
  return out;
}

std::optional<std::vector<std::uint8_t>> base64url_decode(std::string_view text) {
  if (text.size() % 4 == 1) return {};
  std::vector<std::uint8_t> out(text.size() * 3 / 4);
  auto* at = out.data();
  int wrong = 0;  // below 0 where a character is
  auto bits_of = [&](const char* from, int characters) {
    int bits = 0;
    for (int i = 0; i < characters; ++i) {
      int value = values[static_cast<unsigned char>(from[i])];
      wrong |= value;
      bits = bits << 6 | (value & 63);
    }
    return bits;
  };
  const char* from = text.data();
  for (auto groups = text.size() / 4; groups > 0; --groups, from += 4) {
    int bits = bits_of(from, 4);
    for (int shift = 16; shift >= 0; shift -= 8) *at++ = static_cast<std::uint8_t>(bits >> shift);
  }
  int left = static_cast<int>(text.size() % 4), spare = left * 6 % 8;
  int bits = bits_of(from, left);
  if (wrong < 0 || (bits & ((1 << spare) - 1)) != 0) return {};
  bits >>= spare;
  for (int shift = (left - 2) * 8; shift >= 0; shift -= 8)
    *at++ = static_cast<std::uint8_t>(bits >> shift);
  return out;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (auto byte : bytes) out += {digits[byte >> 4], digits[byte & 15]};
  return out;
}

std::string without_returns(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      out += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      out += '\n';
  }
  return out;
}

void append_decimal(std::string& out, double number) {
  std::array<char, 400> text;  // any double has at most 343 characters
  auto end = std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed).ptr;
  out.append(text.begin(), end);
}

}  // namespace quire
