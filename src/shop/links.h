// Finds links in texts.
#pragma once

#include <string_view>

namespace quire::shop {

// Whether a program that shows texts would make a link of something in this UTF-8 text:
//   - an address with its scheme: "https://shop.example", also "ftp://…"
//   - "www." before a name
//   - a name with a path: "bit.ly/3x" (its last part is of two letters or more)
//   - a name that ends in com, net, org, info, biz, xyz, edu or gov: "shop.com"
//   - a mail address: "ann@shop.example"
//   - markup: "[url=", "[url]", "<a " followed by its attributes
// A name's last part is written in small or in capital letters alone, so that a missing space is no
// link: "It is good.Com/fort matters". Nor are "e.g.", "3.5", "and/or" and "Node.js". Takes time in
// proportion to the text's length.
bool has_link(std::string_view text);

}  // namespace quire::shop
