// The customer who wrote a comment, as far as Quire knows.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

// A keyed hash of the shop's own id of the customer. The id itself is never kept.
struct CustomerHash {
  static constexpr std::size_t size = 32;
  static constexpr std::size_t text_size = 43;

  std::array<std::uint8_t, size> bytes{};

  // 43 characters of base64url. Absent: another text.
  static std::optional<CustomerHash> parse(std::string_view text);
  std::string text() const;
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.data()), size}; }
  // The customer as the person who reports a comment: the first 16 bytes.
  std::array<std::uint8_t, 16> person() const;

  friend auto operator<=>(const CustomerHash&, const CustomerHash&) = default;
};

}  // namespace quire
