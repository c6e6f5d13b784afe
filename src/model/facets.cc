#include "model/facets.h"

#include <algorithm>

namespace quire {
namespace {

// Up to three letters, left-aligned in 24 bits, so that values sort as their texts.
std::optional<FacetValue> parse_language(std::string_view text) {
  if (text.size() != 2 && text.size() != 3) return {};
  FacetValue value = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    char c = i < text.size() ? text[i] : '\0';
    if (i < text.size() && (c < 'a' || c > 'z')) return {};
    value = value << 8 | static_cast<unsigned char>(c);
  }
  return value;
}

std::string language_text(FacetValue value) {
  std::string text;
  for (int shift = 16; shift >= 0; shift -= 8) {
    if (char c = static_cast<char>(value >> shift & 0xff)) text += c;
  }
  return text;
}

std::optional<FacetValue> parse_rating(std::string_view text) {
  if (text.size() != 1 || text[0] < '1' || text[0] > '5') return {};
  return static_cast<FacetValue>(text[0] - '0');
}

std::string rating_text(FacetValue value) {
  return std::to_string(value);
}

}  // namespace

const std::array<FacetRow, facet_count> facets = {{
    {"language", 0, parse_language, language_text, "two or three lower-case letters, such as en"},
    {"rating", 5, parse_rating, rating_text, "a whole number from 1 to 5"},
}};

Cell cell(std::string_view language, int rating) {
  return {parse_language(language).value(), static_cast<FacetValue>(rating)};
}

bool covers(const Cell& list, const Cell& cell) {
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (list[facet] != any && list[facet] != cell[facet]) return false;
  }
  return true;
}

}  // namespace quire
