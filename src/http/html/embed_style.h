// The style of what is embedded in pages of the shop: embed.css.
#pragma once

#include <string_view>

namespace quire::http {

// The rules of style.css for what is inside an element of the class "quire", then those of
// web/embed.css. Its layout follows the width of that element, not the window's.
std::string_view embed_style();

}  // namespace quire::http
