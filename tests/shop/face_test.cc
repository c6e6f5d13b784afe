// The table [shop]: how pages look, and in which languages they speak.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/web_address.h"
#include "shop/colour.h"
#include "shop/shop_file.h"
#include "shop_folder.h"

namespace quire::shop {
namespace {

using FaceTest = ShopFolder;

TEST_F(FaceTest, IsReadAsAWhole) {
  std::filesystem::create_directory(directory_.path() + "/texts");
  write("texts/sv.toml", "products = \"Produkter\"\n");
  write("logo.svg", "<svg/>");
  write("shop.css", "h1 { color: red }\n");
  auto shop = read_file(R"([shop]
name = "Field"
logo = "logo.svg"
style = "shop.css"
colour = "#1a7f5a"
home = "https://shop.example"
product_url = "https://shop.example/p/{product}?a=b"
language = "sv"
texts = "texts"
zone = "Asia/Kolkata"
)");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->logo.type, "image/svg+xml");
  EXPECT_EQ(shop->logo.bytes, "<svg/>");
  EXPECT_NE(shop->style.find("--accent: #1a7f5a;"), std::string::npos);
  EXPECT_TRUE(shop->style.ends_with("h1 { color: red }\n"));
  EXPECT_NE(shop->embed_style.find("--accent: var(--quire-accent, #1a7f5a);"), std::string::npos);
  EXPECT_EQ(shop->embed_style.find("color: red"), std::string::npos) << "of Quire's pages alone";
  EXPECT_EQ(shop->home, "https://shop.example");
  EXPECT_EQ(shop->product_url, "https://shop.example/p/{product}?a=b");
  EXPECT_EQ(shop->language, "sv");
  EXPECT_EQ((*shop->languages->find("sv"))["products"], "Produkter");
  EXPECT_EQ(shop->zone.offset_text(0), "UTC+05:30");
}

TEST_F(FaceTest, AnUnknownZoneIsRefusedWithTheNameToWrite) {
  EXPECT_EQ(faults("[shop]\nzone = \"los angeles\"\n"),
            "shop.toml:2: There is no zone \"los angeles\". Did you mean America/Los_Angeles?");
  EXPECT_NE(faults("[shop]\nzone = \"+02:00\"\n").find("such as Europe/Berlin"), std::string::npos);
  EXPECT_NE(faults("[shop]\nzone = 2\n"), "");
  EXPECT_EQ(read_file("[shop]\nname = \"Field\"\n")->zone.offset_text(0), "UTC");
}

TEST_F(FaceTest, EveryFaultIsTold) {
  std::filesystem::create_directory(directory_.path() + "/texts");
  write("texts/sv.toml", "\nprodukter = \"Produkter\"\n");
  EXPECT_EQ(faults(R"([shop]
logo = "logo.exe"
style = "none.css"
colour = "#ffd700"
home = "shop.example"
product_url = "https://shop.example/p/"
texts = "texts"
naem = "Field"
)")
                .substr(0, 60),
            "shop.toml:2: logo is a file of type .svg, .png, .webp or .jp");
  auto all = faults(
      "[shop]\ncolour = \"#ffd700\"\nhome = \"x\"\nproduct_url = \"https://a/b\"\n"
      "texts = \"texts\"\n");
  EXPECT_EQ(all,
            "shop.toml:2: Texts in this colour cannot be read on white: their contrast is 1.4, and "
            "4.5 are needed. Take a darker one.\n"
            "shop.toml:3: home, such as https://shop.example, is " +
                std::string(web_address_wanted) +
                ".\nshop.toml:4: product_url is an address with {product} in it, such as "
                "https://shop.example/p/{product}: " +
                std::string(web_address_wanted) +
                ".\n"
                "texts/sv.toml:2: No page has a text \"produkter\".");
  EXPECT_EQ(faults("[shop]\nlanguage = \"sv\"\n"),
            "shop.toml:2: There are no texts in sv. Write them into sv.toml in a folder, and name "
            "it: texts = \"texts\".");
}

TEST_F(FaceTest, AFileOfTextsThatComesLaterCounts) {
  std::filesystem::create_directory(directory_.path() + "/texts");
  write("shop.toml", "[shop]\ntexts = \"texts\"\n");
  auto file = ShopFile::open(path_).value();
  EXPECT_FALSE(file->shop()->languages->find("sv"));
  write("texts/sv.toml", "products = \"Produkter\"\n");
  file->reload();
  EXPECT_TRUE(file->shop()->languages->find("sv"));
}

TEST(Colour, IsReadAndWritten) {
  EXPECT_EQ(Colour::parse("#1a7f5a")->text(), "#1a7f5a");
  EXPECT_EQ(Colour::parse("#175")->text(), "#117755");
  for (const char* text : {"", "1a7f5a", "#1a7f5", "#1a7f5g", "#1a7f5a0", "# a7f5a"})
    EXPECT_FALSE(Colour::parse(text)) << text;
}

TEST(Colour, ContrastsAsWcagReckons) {
  EXPECT_NEAR(contrast({0, 0, 0}, {1, 1, 1}), 21, 1e-9);
  EXPECT_NEAR(contrast(*Colour::parse("#777777"), light_page), 4.48, 0.01);
}

// What stands behind "--name: " for the nth time.
Colour shade(const std::string& style, std::string_view name, int nth) {
  auto at = style.find(name);
  for (; nth > 0; --nth) at = style.find(name, at + 1);
  return *Colour::parse(std::string_view(style).substr(at + name.size(), 7));
}

TEST(Colour, CanBeReadOnDarkPages) {
  const auto dark = *Colour::parse("#131615");
  for (const char* text : {"#1a7f5a", "#000", "#00f", "#800000", "#5b2a86"}) {
    auto style = style_of(*Colour::parse(text));
    EXPECT_GE(contrast(shade(style, "--accent: ", 1), dark), readable) << text;
    EXPECT_GE(contrast(shade(style, "--accent: ", 1), shade(style, "--accent-ink: ", 1)), readable)
        << text;
    EXPECT_GE(contrast(shade(style, "--accent-hover: ", 1), dark), readable) << text;
  }
}

TEST(Colour, OfEmbeddedLinksCanBeReadInLesserTextOnDarkPages) {
  const auto dark = *Colour::parse("#131615"), quiet = *Colour::parse("#a0a8a4");
  for (const char* text : {"#1a7f5a", "#000", "#00f", "#800000", "#5b2a86", "#00247d", "#767676"}) {
    const std::string begin = "--link: var(--quire-accent, color-mix(in srgb, ";
    auto style = embed_style_of(*Colour::parse(text));
    auto colour = shade(style, begin, 0);
    double share = std::stoi(style.substr(style.find(begin) + begin.size() + 7)) / 100.0;
    auto mix = [share](double a, double b) { return share * a + (1 - share) * b; };
    Colour link{mix(colour.red, quiet.red), mix(colour.green, quiet.green),
                mix(colour.blue, quiet.blue)};
    EXPECT_GE(contrast(link, dark), readable) << text;
    EXPECT_GE(share, 0.2) << text << " can still be told";
  }
}

}  // namespace
}  // namespace quire::shop
