#include "shop/colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace quire::shop {
namespace {

constexpr Colour dark_page{0x13 / 255.0, 0x16 / 255.0, 0x15 / 255.0};   // --paper of web/style.css
constexpr Colour dark_quiet{0xa0 / 255.0, 0xa8 / 255.0, 0xa4 / 255.0};  // --quiet there
constexpr Colour white{1, 1, 1}, black{0, 0, 0};

double linear(double part) {
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double luminance(const Colour& colour) {
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

Colour mixed(const Colour& a, const Colour& b, double share) {
  auto mix = [share](double x, double y) { return x + (y - x) * share; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

}  // namespace

std::optional<Colour> Colour::parse(std::string_view text) {
  if (!text.starts_with('#') || (text.size() != 4 && text.size() != 7)) return {};
  text.remove_prefix(1);
  auto digits = text.size() / 3;
  double parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    unsigned value = 0;
    const char* begin = text.data() + i * digits;
    auto [end, wrong] = std::from_chars(begin, begin + digits, value, 16);
    if (wrong != std::errc() || end != begin + digits) return {};
    parts[i] = (digits == 1 ? value * 17 : value) / 255.0;
  }
  return Colour{parts[0], parts[1], parts[2]};
}

std::string Colour::text() const {
  auto byte = [](double part) { return static_cast<int>(std::lround(part * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(blue));
}

double contrast(const Colour& a, const Colour& b) {
  double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

std::string style_of(const Colour& colour) {
  Colour lighter = colour;
  for (int i = 0; i < 20 && contrast(lighter, dark_page) < readable + 1; ++i)
    lighter = mixed(lighter, white, 0.15);
  return fmt::format(
      ":root {{ --accent: {}; --accent-ink: #fff; --accent-hover: {}; }}\n"
      "@media (prefers-color-scheme: dark) {{ :root {{ --accent: {}; --accent-ink: #0d1311; "
      "--accent-hover: {}; }} }}\n",
      colour.text(), mixed(colour, black, 0.25).text(), lighter.text(),
      mixed(lighter, white, 0.35).text());
}

std::string embed_style_of(const Colour& colour) {
  int share = 50;  // in percent
  while (share > 0 && contrast(mixed(dark_quiet, colour, share / 100.0), dark_page) < readable)
    share -= 5;
  return fmt::format(
      "@scope (.quire) {{ :scope {{ --accent: var(--quire-accent, {0}); --link: "
      "var(--quire-accent, color-mix(in srgb, {0} {1}%, currentcolor)); }} }}\n",
      colour.text(), share);
}

}  // namespace quire::shop
