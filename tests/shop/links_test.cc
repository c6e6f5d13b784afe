// Which texts have a link.
#include "shop/shop.h"

#include <gtest/gtest.h>

#include <string>

namespace quire::shop {
namespace {

TEST(Links, AreAddresses) {
  for (const char* text : {"http://a.example",
                           "see HTTPS://Shop.example/x",
                           "(https://1.2.3.4)",
                           "ftp://files",
                           "www.shop.example",
                           "Go to WWW.shop.example!",
                           "\"www.привет.example\"",
                           "bit.ly/3x",
                           "shop.example/",
                           "SHOP.EXAMPLE/sale",
                           "shop.co.uk/x",
                           "shop.com",
                           "cheap-pills.com.",
                           "SHOP.COM",
                           "on shop.net, now",
                           "shop.com:8080",
                           "müller.org",
                           "m.shop.com.au",
                           "ann@shop.example",
                           "ann.b+c@mail.shop.de",
                           "[url=x]y[/url]",
                           "[URL]x[/URL]",
                           "[url=",
                           "<a href=x>y</a>",
                           "<A\nHREF=x>"})
    EXPECT_TRUE(has_link(text)) << text;
}

TEST(Links, AreNoAbbreviationsNumbersAndMissingSpaces) {
  for (const char* text : {"",
                           ".",
                           "...",
                           "/",
                           "@",
                           ":",
                           "://",
                           "e.g. this",
                           "i.e./that",
                           "3.5",
                           "3.5/5",
                           "1.000,00",
                           "Node.js",
                           "readme.md",
                           "and/or",
                           "Mr. and/or Mrs.",
                           "It is good.It fits.",
                           "gut.Es passt",
                           "good.Com/fort",
                           "nice.top quality",
                           "U.S.A.",
                           "z.B.",
                           "a.m./p.m.",
                           "12:30",
                           "note: this",
                           "C:\\x",
                           "http:// is how links begin",
                           "http://",
                           "wwww.",
                           "awww.cute",
                           "www.",
                           "www. x",
                           ".com",
                           "the .com years",
                           "shop. com",
                           "shop.community",
                           "shop.com_x",
                           "@ann",
                           "me@home",
                           "@ann.b",
                           "5 @ 3.50",
                           "[x]",
                           "[urls]",
                           "<3",
                           "<abbr>",
                           "a<b",
                           "<article>",
                           "Wow…com"})
    EXPECT_FALSE(has_link(text)) << text;
}

TEST(Links, TakeAnyBytes) {
  EXPECT_FALSE(has_link("\xFF.\xFF@\xFF:\xC3"));
  EXPECT_TRUE(has_link("\xFF https://x \xFF"));
}

}  // namespace
}  // namespace quire::shop
