// Shop files: what they say, their faults, and which comments they hold.
#include "shop/shop.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>

#include "shop/shop_folder.h"

namespace quire::shop {
namespace {

using ShopTest = ShopFolder;

Comment comment_of(std::string text) {
  return {.author = "Ann", .title = "Fits", .text = std::move(text)};
}

TEST_F(ShopTest, SaysWhatTheFileSays) {
  write("words.txt", "# spam\n\n  \ncasino\r\nbuy now\n");
  auto shop = read_file(R"([shop]
name = "Field & Stream"
[moderation]
hold = "rules"
links = true
words = "words.txt"
reports = 3
)");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->name, "Field & Stream");
  EXPECT_EQ(shop->hold, Hold::rules);
  EXPECT_TRUE(shop->links);
  EXPECT_EQ(shop->reports, 3);
  EXPECT_EQ(shop->holds(comment_of("Buy it NOW!")), std::nullopt);
  EXPECT_EQ(shop->holds(comment_of("Buy NOW!")), "words");
  EXPECT_EQ(shop->holds(comment_of("casino at www.shop.example")), "links");
}

TEST_F(ShopTest, EmbedsInOriginsAsBrowsersNameThem) {
  auto shop = read_file("[shop]\nembed = [\"https://shop.example\", \"http://[::1]:8080\"]\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->embed, (std::vector<std::string>{"https://shop.example", "http://[::1]:8080"}));
  for (std::string text :
       {"https://Shop.example", "https://shop.example/", "https://shop.example:443",
        "http://shop.example:80", "https://*.shop.example", "https://shop.example:", "ftp://a",
        "https://", "https://a b", "https://a;b", "https://a:080", "https://a:70000", "https://[a]",
        "shop.example", "null", "*", "https://u@a"}) {
    EXPECT_FALSE(read_file("[shop]\nembed = [\"" + text + "\"]\n")) << text;
  }
  EXPECT_FALSE(read_file("[shop]\nembed = \"https://shop.example\"\n"));
  EXPECT_FALSE(read_file("[shop]\nembed = [7]\n"));
}

TEST_F(ShopTest, OfAFileWithoutTablesHoldsNothing) {
  auto shop = read_file("# later\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->name, "");
  EXPECT_EQ(shop->holds(comment_of("https://shop.example")), std::nullopt);
  EXPECT_EQ(shop->fingerprint.size(), 16u);
  EXPECT_EQ(Shop{}.holds(comment_of("https://shop.example")), std::nullopt);
}

TEST_F(ShopTest, HoldsAll) {
  auto shop = read_file("[moderation]\nhold = \"all\"\nlinks = true\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->holds({}), "all");
}

TEST_F(ShopTest, RulesMayRestBesideNone) {
  auto shop = read_file("[moderation]\nhold = \"none\"\nlinks = true\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->holds(comment_of("https://shop.example")), std::nullopt);
}

TEST_F(ShopTest, RulesLookAtEveryText) {
  write("words.txt", "casino");
  auto shop = read_file("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->holds({.author = "Casino"}), "words");
  EXPECT_EQ(shop->holds({.title = "Casino"}), "words");
  EXPECT_EQ(shop->holds({.text = "Casino"}), "words");
  EXPECT_EQ(shop->holds({.attributes = {{"size", "casino"}}}), "words");
  EXPECT_EQ(shop->holds({.media = {{"https://img.shop.example/casino", 1, 1, "A casino"}}}),
            "words");
  EXPECT_EQ(shop->holds({.attributes = {{"tags", std::vector<std::string>{"gift", "casino"}}}}),
            "words");
  EXPECT_EQ(shop->holds({.product = "casino", .attributes = {{"casino", true}}}), std::nullopt);
  EXPECT_EQ(shop->holds({.attributes = {{"casino", std::int64_t{1}}}}), std::nullopt);
}

TEST_F(ShopTest, TextsAreLookedAtEachByItself) {
  write("words.txt", "online casino");
  auto shop = read_file("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->holds({.title = "Online", .text = "casino"}), std::nullopt);
}

TEST_F(ShopTest, EveryFaultIsToldWithItsLine) {
  EXPECT_EQ(faults(R"([shop]
name = 5
hoem = "https://shop.example"
[writing]
who = "customer"
[moderation]
hold = "some"
links = "yes"
frist = true
reports = 1.5
[[identity]]
issuer = "x"
)"),
            R"(shop.toml:2: name is a text that is not empty, in quotes.
shop.toml:3: [shop] has no "hoem". Take one of: colour, embed, home, language, lists, logo, media, name, product_url, style, texts, visitor_language, zone.
shop.toml:5: who is "nobody", "customers" or "anyone".
shop.toml:7: hold is "none", "all" or "rules".
shop.toml:8: links is true or false.
shop.toml:9: [moderation] has no "frist". Take one of: first, hold, links, reports, words.
shop.toml:10: reports is a whole number from 0 to 100; 0: never.
shop.toml:11: [[identity]] has issuer, audience, algorithm, and either keys or secret.)");
}

TEST_F(ShopTest, PicturesAreAtHosts) {
  auto shop = read_file("[shop]\nmedia = [\"img.shop.example\", \"cdn.example\"]\n");
  ASSERT_TRUE(shop) << shop.error().message;
  EXPECT_EQ(shop->picture_hosts, (std::vector<std::string>{"img.shop.example", "cdn.example"}));
  for (const std::string text : {"https://img.shop.example", "IMG.example", "img_1.example",
                                 "[::1]", "img.example:80", "img.example/x", ""})
    EXPECT_FALSE(read_file("[shop]\nmedia = [\"" + text + "\"]\n")) << text;
  EXPECT_FALSE(read_file("[shop]\nmedia = \"img.shop.example\"\n"));
}

TEST_F(ShopTest, VotesAreOfCustomersOrOff) {
  EXPECT_FALSE(read_file("[shop]\n")->votes);
  EXPECT_FALSE(read_file("[votes]\nwho = \"off\"\n")->votes);
  auto shop = read_file("[votes]\nwho = \"customers\"\n");
  EXPECT_TRUE(shop->votes);
  ASSERT_EQ(shop->warnings.size(), 1u) << "nobody signs";
  EXPECT_TRUE(shop->warnings.front().starts_with("Nobody can vote yet:")) << shop->warnings.front();
  EXPECT_EQ(faults("[votes]\nwho = \"anyone\"\n"), "shop.toml:2: who is \"off\" or \"customers\".");
}

TEST_F(ShopTest, WhatDoesNothingIsRefused) {
  EXPECT_EQ(faults("[moderation]\nlinks = true\n"),
            "shop.toml:1: Rules hold comments where hold = \"rules\" stands beside them.");
  EXPECT_EQ(faults("[moderation]\nhold = \"rules\"\n"),
            "shop.toml:2: hold = \"rules\" needs a rule: first = true, links = true, or words = "
            "\"FILE\".");
  EXPECT_EQ(faults("[moderation]\nhold = \"rules\"\nlinks = false\n"),
            "shop.toml:2: hold = \"rules\" needs a rule: first = true, links = true, or words = "
            "\"FILE\".");
}

TEST_F(ShopTest, AnEmptyFileIsRefused) {
  EXPECT_EQ(faults(""), "shop.toml is empty. quire shop new prints a first one.");
}

TEST_F(ShopTest, ATableIsATable) {
  EXPECT_EQ(faults("shop = 1\n[[moderation]]\n"),
            "shop.toml:1: shop is a table. Write [shop].\n"
            "shop.toml:2: moderation is a table. Write [moderation].");
}

TEST_F(ShopTest, WhatIsNoTomlIsTold) {
  EXPECT_EQ(faults("[shop]\nname = Field\n").substr(0, 12), "shop.toml:2:");
  EXPECT_EQ(faults("[shop]\nname = \"\xFF\"\n").substr(0, 12), "shop.toml:2:");
  EXPECT_EQ(faults("[shop]\n[shop]\n").substr(0, 12), "shop.toml:2:");
}

TEST_F(ShopTest, ANameHasAtMostAHundredCharacters) {
  auto name = [](int characters) {
    std::string text = "[shop]\nname = \"";
    for (int i = 0; i < characters; ++i) text += "ü";
    return text + "\"\n";
  };
  EXPECT_EQ(faults(name(100)), "");
  EXPECT_EQ(faults(name(101)),
            "shop.toml:2: name has at most 100 characters, and no control character.");
  EXPECT_EQ(faults("[shop]\nname = \"a\\nb\"\n"),
            "shop.toml:2: name has at most 100 characters, and no control character.");
}

TEST_F(ShopTest, FaultsOfTheWordsAreToldWithTheirLines) {
  write("words.txt", "fine\n?!\n\xFF\n");
  EXPECT_EQ(faults("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n"),
            "words.txt:2: A phrase has a letter or digit. Comments begin with #.\n"
            "words.txt:3: A phrase is of UTF-8, without control characters.");
  write("words.txt", "# none\n");
  EXPECT_EQ(faults("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n"),
            "shop.toml:3: words.txt has no phrase. Write one a line.");
}

TEST_F(ShopTest, AtMostTwentyFaultsAreTold) {
  std::string text = "[shop]\n";
  for (int i = 0; i < 30; ++i) text += "x" + std::to_string(i) + " = 1\n";
  auto told = faults(text);
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 20);
  EXPECT_EQ(told.substr(told.rfind('\n') + 1), "10 faults more.");
}

TEST_F(ShopTest, BoundsHold) {
  std::string phrases;
  for (int i = 0; i < 10'000; ++i) phrases += "word" + std::to_string(i) + "\n";
  write("words.txt", phrases);
  std::string file = "[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n";
  EXPECT_EQ(faults(file), "");
  write("words.txt", phrases + "another\n");
  EXPECT_EQ(faults(file), "words.txt:10001: A file of words has at most 10,000 phrases.");
  write("words.txt", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(faults(file), "shop.toml:3: Cannot read the file words.txt: it has over 1 MiB.");
  EXPECT_EQ(faults(std::string((1 << 20) + 1, '#')),
            "Cannot read the file shop.toml: it has over 1 MiB.");
}

TEST_F(ShopTest, FilesThatCannotBeReadAreTold) {
  EXPECT_EQ(read(path_).error().message,
            "Cannot read the file " + path_ + ": No such file or directory.");
  EXPECT_EQ(faults("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n"),
            "shop.toml:3: Cannot read the file words.txt: No such file or directory.");
  ASSERT_EQ(mkfifo((directory_.path() + "/words.txt").c_str(), 0600), 0);
  EXPECT_NE(faults("[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n").find("it is a pipe"),
            std::string::npos);
  EXPECT_FALSE(read(directory_.path()));
}

// Whatever the bytes, a file is read, or refused with a line for each fault.
TEST_F(ShopTest, AnyBytesAreReadOrRefused) {
  const std::string example =
      "[shop]\nname = \"Field & Stream\"\n[moderation]\nhold = \"rules\"\nlinks = true\n"
      "words = \"words.txt\"\nreports = 3\n";
  std::mt19937_64 random(7);
  int read_count = 0;
  for (int round = 0; round < 3000; ++round) {
    auto text = example;
    std::string words = "casino\nonline 赌场\n# spam\n";
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      constexpr std::string_view bytes = "{}[]#=\"\\\n,. 0tx\xFF\xCC\x81\x00";
      auto& changed = random() % 3 ? text : words;
      auto at = random() % changed.size();
      if (random() % 2)
        changed[at] = bytes[random() % bytes.size()];
      else
        changed.erase(at, random() % 8);
    }
    FileTexts texts = {{path_, {text}}, {directory_.path() + "/words.txt", {words}}};
    auto shop = parse(path_, texts);
    read_count += shop.ok();
    EXPECT_TRUE(shop || shop.error().message.starts_with(directory_.path())) << text;
  }
  EXPECT_GT(read_count, 300);
  EXPECT_LT(read_count, 2700);
}

TEST_F(ShopTest, AnotherFileHasAnotherPrint) {
  write("words.txt", "casino");
  std::string file = "[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n";
  auto before = read_file(file)->fingerprint;
  EXPECT_EQ(read(path_)->fingerprint, before);
  write("words.txt", "casinos");
  EXPECT_NE(read(path_)->fingerprint, before);
}

}  // namespace
}  // namespace quire::shop
