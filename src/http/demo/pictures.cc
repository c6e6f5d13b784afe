#include "http/demo/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace quire::http {
namespace {

struct Palette {
  std::string_view ground, shade, main, dark, light;
};
constexpr Palette palettes[] = {{"#eef2ea", "#d8e0d0", "#3f7d58", "#24543a", "#f2c14e"},
                                {"#eaf0f6", "#d3dfea", "#2f6690", "#173f5f", "#f6ae2d"},
                                {"#f8eee7", "#ecdccf", "#b5533c", "#7c3425", "#f4d6a0"},
                                {"#f1eef6", "#dfd8ea", "#6b5b95", "#463a66", "#f7cac9"},
                                {"#f5f1e3", "#e6dfc6", "#8a7b34", "#5c5220", "#fff3c4"}};

// A square of 240 by 240; the fills are classes of the palette: m, d and l, or strokes M, D and L.
struct Drawing {
  std::string_view name, shapes;
};
constexpr Drawing drawings[] = {
    {"trail-shoe",
     R"(<path class="m" d="M40 150c0-30 10-52 22-56 12 14 26 20 44 16l48 30c22 6 46 8 46 28v8H40z"/>)"
     R"(<path class="d" d="M40 172h160v12c0 6-4 10-10 10H50c-6 0-10-4-10-10z"/>)"
     R"(<path class="L" d="M104 120l14-12m4 22l14-12m4 22l14-12"/>)"},
    {"rain-jacket",
     R"(<path class="m" d="M88 56l32-12 32 12 34 22 18 78-26 8-12-44v80H74v-80l-12 44-26-8 18-78z"/>)"
     R"(<path class="d" d="M90 55q30 30 60 0l-10-15h-40z"/><path class="D" d="M120 70v130"/>)"
     R"(<path class="L" d="M86 164h20m28 0h20"/>)"},
    {"merino-shirt",
     R"(<path class="m" d="M86 58l-44 26 16 36 20-8v84h84v-84l20 8 16-36-44-26q-34 24-68 0z"/>)"
     R"(<path class="D" d="M86 58q34 24 68 0"/><path class="L" d="M98 120h18"/>)"},
    {"backpack", R"(<path class="D" d="M98 76V62a22 22 0 0 1 44 0v14"/>)"
                 R"(<rect class="m" x="66" y="72" width="108" height="124" rx="30"/>)"
                 R"(<rect class="d" x="82" y="134" width="76" height="46" rx="10"/>)"
                 R"(<path class="L" d="M86 112h68M106 156h28"/>)"},
    {"headlamp",
     R"(<path class="M" d="M20 119h200M120 84V40"/>)"
     R"(<rect class="m" x="80" y="84" width="80" height="70" rx="18"/>)"
     R"(<circle class="d" cx="120" cy="119" r="27"/><circle class="l" cx="120" cy="119" r="19"/>)"},
    {"tent", R"(<path class="m" d="M120 58l88 130H32z"/><path class="d" d="M120 58l36 130H84z"/>)"
             R"(<path class="L" d="M120 66v122"/><path class="D" d="M24 188h192"/>)"},
    {"enamel-mug",
     R"(<path class="M" d="M160 98h16a24 24 0 0 1 0 56h-16"/>)"
     R"(<path class="m" d="M62 76h100v92a20 20 0 0 1-20 20H82a20 20 0 0 1-20-20z"/>)"
     R"(<path class="D" d="M62 78h100"/><path class="L" d="M92 58q-8-12 0-22m24 22q-8-12 0-22m24 22q-8-12 0-22"/>)"},
    {"wool-socks", R"(<path class="d" d="M112 44h44v76l30 30a24 24 0 0 1-36 34l-38-38z"/>)"
                   R"(<path class="m" d="M72 52h44v78l34 34a24 24 0 0 1-36 34l-42-42z"/>)"
                   R"(<path class="L" d="M72 76h44m-44 16h44"/>)"}};

// The classes of a drawing's shapes as attributes: opened by itself, a picture may have no style of
// its own, as the Content-Security-Policy says. A capital is a line.
std::string painted(std::string_view shapes, std::string_view main, std::string_view dark,
                    std::string_view light) {
  auto line = [](std::string_view colour, std::string_view width) {
    return fmt::format(R"(fill="none" stroke="{}"{})", colour, width);
  };
  const std::pair<std::string_view, std::string> looks[] = {
      {R"(class="m")", fmt::format(R"(fill="{}")", main)},
      {R"(class="d")", fmt::format(R"(fill="{}")", dark)},
      {R"(class="l")", fmt::format(R"(fill="{}")", light)},
      {R"(class="M")", line(main, R"( stroke-width="13")")},
      {R"(class="D")", line(dark, "")},
      {R"(class="L")", line(light, R"( stroke-width="6")")}};
  std::string out(shapes);
  for (const auto& [mark, attributes] : looks) {
    for (auto at = out.find(mark); at != out.npos; at = out.find(mark, at))
      out.replace(at, mark.size(), attributes);
  }
  return out;
}

}  // namespace

std::optional<std::string> demo_picture(std::string_view name) {
  constexpr std::string_view ending = ".svg";
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  std::size_t view = 0;  // 0: the shop's own picture
  if (name.size() > 2 && name[name.size() - 2] == '-' && name.back() >= '1' && name.back() <= '9') {
    view = static_cast<std::size_t>(name.back() - '0');
    name.remove_suffix(2);
  }
  auto drawing = std::find_if(std::begin(drawings), std::end(drawings),
                              [&](const Drawing& each) { return each.name == name; });
  if (drawing == std::end(drawings)) return {};
  auto place = static_cast<std::size_t>(drawing - std::begin(drawings));
  const auto& [ground, shade, main, dark, light] = palettes[(place + view) % std::size(palettes)];
  auto turned = static_cast<int>(view) * 7 % 20 - 10;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="480" height="480">)"
      R"(<rect width="240" height="240" fill="{0}"/><path d="M0 176h240v64H0z" fill="{1}"/>)"
      R"svg(<g stroke-width="8" stroke-linecap="round" stroke-linejoin="round" transform="rotate({2} 120 120)">{3}</g></svg>)svg",
      ground, shade, view == 0 ? 0 : turned, painted(drawing->shapes, main, dark, light));
}

}  // namespace quire::http
