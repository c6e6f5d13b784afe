// Limits that are part of the public interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quire::limits {

inline constexpr std::size_t product_bytes = 256;
inline constexpr std::size_t author_characters = 100;
inline constexpr std::size_t title_characters = 300;
inline constexpr std::size_t text_characters = 50'000;

inline constexpr std::size_t address_bytes = 2'048;  // of a URL
inline constexpr std::size_t pictures = 8;           // of a comment
inline constexpr std::size_t picture_url_bytes = 2'000;
inline constexpr std::size_t alt_characters = 300;
inline constexpr std::uint32_t picture_pixels = 20'000;  // of each side

// That a product's published comments have: its statistics have numbers of each.
inline constexpr std::size_t product_languages = 200;

inline constexpr std::size_t note_characters = 1'000;  // of a moderator, or of a report
inline constexpr std::size_t reports = 100;            // that are kept of a comment
inline constexpr std::size_t mail_bytes = 254;         // of whoever gave a notice

inline constexpr std::size_t attributes = 32;              // of a comment
inline constexpr std::size_t attributes_bytes = 4 * 1024;  // as JSON
inline constexpr std::size_t attribute_name_characters = 32;
inline constexpr std::size_t attribute_text_characters = 100;
inline constexpr std::size_t attribute_texts = 16;                             // of one attribute
inline constexpr std::int64_t attribute_number = (std::int64_t{1} << 53) - 1;  // greatest

inline constexpr std::size_t facets = 32;         // that a store has, language and rating aside
inline constexpr std::size_t facet_values = 256;  // of a closed choice
// How many values of tags and of an open choice are counted: the most frequent.
inline constexpr std::size_t counted_values = 100;

inline constexpr std::uint64_t future_ms = 5 * 60 * 1000;  // how far a client's clock may be ahead

inline constexpr std::size_t page_default = 20;
inline constexpr std::size_t page_max = 100;
inline constexpr std::size_t products_max = 100;  // whose statistics one request asks for

inline constexpr std::size_t body_bytes = 256 * 1024;
inline constexpr std::size_t header_bytes = 16 * 1024;
inline constexpr std::size_t reported_fields = 20;  // that an answer names as wrong
inline constexpr std::size_t cursor_characters = 64;
inline constexpr std::size_t idempotency_key_bytes = 256;

}  // namespace quire::limits
