#include "http/html/embed_style.h"

#include <string>

#include "base/ensure.h"
#include "http/assets.h"

namespace quire::http {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
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
  return out;
}

}  // namespace

std::string_view embed_style() {
  static const std::string style = made();
  return style;
}

}  // namespace quire::http
