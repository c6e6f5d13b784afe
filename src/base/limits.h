// Limits that are part of the public interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quire::limits {

inline constexpr std::size_t product_bytes = 256;
inline constexpr std::size_t author_characters = 100;
inline constexpr std::size_t title_characters = 300;
inline constexpr std::size_t text_characters = 50'000;

inline constexpr std::uint64_t future_ms = 5 * 60 * 1000;  // how far a client's clock may be ahead

inline constexpr std::size_t page_default = 20;
inline constexpr std::size_t page_max = 100;

inline constexpr std::size_t body_bytes = 256 * 1024;
inline constexpr std::size_t header_bytes = 16 * 1024;
inline constexpr std::size_t cursor_characters = 64;
inline constexpr std::size_t idempotency_key_bytes = 256;

}  // namespace quire::limits
