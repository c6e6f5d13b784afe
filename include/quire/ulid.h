// The id of a comment: its time of creation and random bits, in one sortable value.
// Format: https://github.com/ulid/spec (48 bits of ms since 1970, 80 bits of entropy, Crockford
// base 32).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

struct Ulid {
  static constexpr std::size_t size = 16;
  static constexpr std::size_t text_size = 26;
  static constexpr std::uint64_t max_ms = (std::uint64_t{1} << 48) - 1;

  std::array<std::uint8_t, size> bytes{};  // big-endian, so that ids sort by their bytes

  // `ms` since 1970, at most max_ms (higher bits are dropped).
  static Ulid make(std::uint64_t ms, const std::array<std::uint8_t, 10>& entropy);
  // 26 characters, upper or lower case. Absent: another text, or a value over 128 bits.
  static std::optional<Ulid> parse(std::string_view text);

  std::uint64_t ms() const;
  std::string text() const;  // 26 characters, upper case
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.data()), size}; }

  // The neighbours in id order. The ends stay where they are.
  Ulid next() const;
  Ulid previous() const;

  friend auto operator<=>(const Ulid&, const Ulid&) = default;
};

// The last time that has a text: the end of the year 9999.
inline constexpr std::uint64_t max_time_ms = 253'402'300'799'999;

// RFC 3339 in UTC with milliseconds: "2024-11-20T12:01:00.123Z". Years 1970 to 9999.
std::string time_text(std::uint64_t ms);
// An RFC 3339 date-time from 1970 to 9999, with any offset and up to nine digits of a second, which
// are cut off after the third. Absent: another text.
std::optional<std::uint64_t> parse_time(std::string_view text);

}  // namespace quire
