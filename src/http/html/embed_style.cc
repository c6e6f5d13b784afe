#include "base/ensure.h"
#include "http/assets.h"
#include "http/html/parts.h"

namespace quire::http {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool is_of_number(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-';
}

// A rem is of the root of the page, which shops make small. The fragment measures by the text
// around it instead; a condition of a container does so by em.
std::string by_text_around(std::string_view style) {
  std::string out;
  std::size_t done = 0;
  for (auto at = style.find("rem"); at != style.npos; at = style.find("rem", at + 1)) {
    auto begin = at;
    while (begin > done && is_of_number(style[begin - 1])) --begin;
    if (begin == at) continue;
    auto number = style.substr(begin, at - begin);
    auto line = style.substr(style.find_first_not_of(' ', style.rfind('\n', at) + 1));
    bool condition = line.starts_with("@container");
    out.append(style.substr(done, begin - done));
    if (condition)
      out.append(number).append("em");
    else
      out.append("calc(").append(number).append(" * var(--quire-rem))");
    done = at + 3;
  }
  return out.append(style.substr(done));
}

std::string made() {
  constexpr std::string_view mark = "/* What follows is in embed.css, too. */";
  auto style = asset("style.css");
  auto begin = style.find(mark);
  QUIRE_ENSURE(begin != style.npos);
  std::string out = "@scope (.quire) {\n";
  out.append(style.substr(begin + mark.size())).append(asset("embed.css")).append("}\n");
  replace_all(out, "@media (min-width:", "@container (min-width:");
  replace_all(out, "@media (max-width:", "@container (max-width:");
  out = by_text_around(out);
  // Inherited as a length, not as "1em" of each element.
  out +=
      "@property --quire-rem {\n  syntax: \"<length>\";\n  inherits: true;\n  initial-value: "
      "16px;\n}\n";
  return out;
}

}  // namespace

std::string_view embed_style() {
  static const std::string style = made();
  return style;
}

}  // namespace quire::http
