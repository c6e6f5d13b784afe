// The colour of a shop: whether texts in it can be read, and its shades on light and dark pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quire::shop {

struct Colour {
  double red, green, blue;  // 0 to 1

  // "#1a7f5a" or "#175". Absent: it is none.
  static std::optional<Colour> parse(std::string_view text);
  std::string text() const;
};

// Between two colours, as WCAG 2 reckons it: 1 to 21.
double contrast(const Colour& a, const Colour& b);

// What texts need to be read.
inline constexpr double readable = 4.5;
inline constexpr Colour light_page{1, 1, 1};

// The style that gives pages this colour, which can be read on a light page: a darker shade where
// the pointer is, and a lighter one on dark pages.
std::string style_of(const Colour& colour);
// The same for what is embedded in the shop's own pages, which may be dark: links are between this
// colour and that of the text around them, with as much of this colour as can be read in lesser
// text on dark pages. The properties of these pages go first.
std::string embed_style_of(const Colour& colour);

}  // namespace quire::shop
