// Texts: percent-encoding, base64url, hex, line ends, and numbers as plain decimal text.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace quire {

// Percent-encoding of RFC 3986: keeps unreserved characters, and writes every other byte as %XX in
// upper-case hex.
std::string percent_encode(std::string_view bytes);
void append_percent_encoded(std::string& out, std::string_view bytes);
// Absent: `text` is no valid encoding.
std::optional<std::string> percent_decode(std::string_view text);

// base64url without padding (RFC 4648, section 5). Decoding refuses unused bits that are not zero,
// so each value has exactly one text.
std::string base64url_encode(std::span<const std::uint8_t> bytes);
std::optional<std::vector<std::uint8_t>> base64url_decode(std::string_view text);

// Two lower-case digits a byte.
std::string hex(std::span<const std::uint8_t> bytes);
// The bytes of 2 * n digits of either case. Absent: `text` is none.
template <std::size_t n>
std::optional<std::array<std::uint8_t, n>> parse_hex(std::string_view text) {
  std::array<std::uint8_t, n> bytes;
  if (text.size() != 2 * n) return {};
  for (std::size_t i = 0; i < n; ++i) {
    const char* end = text.data() + 2 * i + 2;
    if (std::from_chars(end - 2, end, bytes[i], 16).ptr != end) return {};
  }
  return bytes;
}

// The text with LF in place of each CR LF, and of each CR alone. Thread-safe.
std::string without_returns(std::string_view text);

// A number with its noun: "1 comment", "2 comments".
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

// The integer that is the whole text. Absent: the text is none, or the type does not hold it.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

// Appends the shortest decimal text that reads back as `number` and has no exponent: "0.38", "0",
// "1500". `number` is finite.
void append_decimal(std::string& out, double number);

}  // namespace quire
