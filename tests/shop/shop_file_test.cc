// The shop file of a running server: which changes count.
#include "shop/shop_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "temporary_directory.h"

namespace quire::shop {
namespace {

class ShopFileTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory_.path() + "/" + name) << text;
  }
  void name_it(const std::string& name) { write("shop.toml", "[shop]\nname = \"" + name + "\"\n"); }
  ShopFile::SteadyClock clock() {
    return [this] { return now_; };
  }
  void look_twice(ShopFile& file) {
    file.look();
    now_ += ShopFile::unchanged_for;
    file.look();
  }
  static bool holds(const ShopFile& file, std::string text) {
    return file.shop()->holds({.text = std::move(text)}).has_value();
  }

  TemporaryDirectory directory_;
  std::chrono::steady_clock::time_point now_;
  std::string path_ = directory_.path() + "/shop.toml";
  const std::string by_words_ = "[moderation]\nhold = \"rules\"\nwords = \"words.txt\"\n";
};

TEST_F(ShopFileTest, AChangeCounts) {
  name_it("One");
  auto file = ShopFile::open(path_, clock()).value();
  auto held = file->shop();
  auto generation = file->generation();
  look_twice(*file);
  EXPECT_EQ(file->generation(), generation);
  name_it("Two");
  look_twice(*file);
  EXPECT_EQ(file->shop()->name, "Two");
  EXPECT_NE(file->generation(), generation);
  EXPECT_EQ(held->name, "One") << "a request under way keeps its shop";
}

TEST_F(ShopFileTest, AChangeOfTheWordsCounts) {
  write("words.txt", "casino");
  write("shop.toml", by_words_);
  auto file = ShopFile::open(path_, clock()).value();
  auto generation = file->generation();
  EXPECT_TRUE(holds(*file, "casino") && !holds(*file, "poker"));
  write("words.txt", "poker");
  look_twice(*file);
  EXPECT_TRUE(!holds(*file, "casino") && holds(*file, "poker"));
  EXPECT_NE(file->generation(), generation);
}

TEST_F(ShopFileTest, FilesThatAChangeNamesAreWatchedAndNoOthers) {
  write("words.txt", "casino");
  write("other.txt", "poker");
  write("shop.toml", by_words_);
  auto file = ShopFile::open(path_, clock()).value();
  write("shop.toml", "[moderation]\nhold = \"rules\"\nwords = \"other.txt\"\n");
  look_twice(*file);
  EXPECT_TRUE(!holds(*file, "casino") && holds(*file, "poker"));
  auto generation = file->generation();
  write("words.txt", "another");
  look_twice(*file);
  EXPECT_EQ(file->generation(), generation);
  write("other.txt", "dice");
  look_twice(*file);
  EXPECT_TRUE(holds(*file, "dice"));
}

TEST_F(ShopFileTest, AFileThatIsBeingWrittenDoesNotCount) {
  name_it("One");
  auto file = ShopFile::open(path_, clock()).value();
  std::string text = "[shop]\nname = \"Two\"\n";
  for (std::size_t part = 0; part < text.size(); part += 3) {
    write("shop.toml", text.substr(0, part));
    for (int look = 0; look < 4; ++look, now_ += ShopFile::look_every) file->look();
    EXPECT_EQ(file->shop()->name, "One") << part;
  }
  write("shop.toml", text);
  look_twice(*file);
  EXPECT_EQ(file->shop()->name, "Two");
}

TEST_F(ShopFileTest, AFaultyChangeLeavesTheShopAsItWas) {
  write("words.txt", "casino");
  write("shop.toml", by_words_);
  auto file = ShopFile::open(path_, clock()).value();
  auto generation = file->generation();
  for (const auto& faulty : {std::string("[shop\n"), std::string("[shop]\nname = \"Two\"\nx = 1\n"),
                             by_words_ + "links = 1\n"}) {
    write("shop.toml", faulty);
    look_twice(*file);
    EXPECT_TRUE(holds(*file, "casino"));
  }
  write("shop.toml", by_words_);
  write("words.txt", "?\n");
  look_twice(*file);
  EXPECT_TRUE(holds(*file, "casino"));
  EXPECT_EQ(file->generation(), generation);
  write("words.txt", "casino");
  look_twice(*file);
  EXPECT_EQ(file->generation(), generation) << "it is as it was";
  write("words.txt", "poker");
  look_twice(*file);
  EXPECT_TRUE(holds(*file, "poker"));
}

TEST_F(ShopFileTest, FilesThatAreAwayLeaveTheShopAsItWas) {
  write("words.txt", "casino");
  write("shop.toml", by_words_);
  auto file = ShopFile::open(path_, clock()).value();
  for (const char* name : {"/words.txt", "/shop.toml"}) {
    auto path = directory_.path() + name;
    std::filesystem::rename(path, path + ".away");
    look_twice(*file);
    EXPECT_TRUE(holds(*file, "casino"));
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    look_twice(*file);
    EXPECT_TRUE(holds(*file, "casino"));
    EXPECT_FALSE(ShopFile::open(path_));
    std::filesystem::rename(path + ".away", path);
    look_twice(*file);
    EXPECT_TRUE(holds(*file, "casino"));
  }
  write("words.txt", "poker");
  look_twice(*file);
  EXPECT_TRUE(holds(*file, "poker"));
}

TEST_F(ShopFileTest, ReloadTakesTheFilesAsTheyAre) {
  name_it("One");
  auto file = ShopFile::open(path_, clock()).value();
  auto generation = file->generation();
  file->reload();
  EXPECT_EQ(file->generation(), generation);
  name_it("Two");
  file->reload();
  EXPECT_EQ(file->shop()->name, "Two");
  EXPECT_EQ(file->generation(), generation + 1);
  look_twice(*file);
  EXPECT_EQ(file->generation(), generation + 1);
}

// A file that is cut at a line's end has no fault: what was held would be published.
TEST_F(ShopFileTest, WhatAChangeMakesLessStrictIsTold) {
  auto shop = [this](const std::string& text) {
    write("shop.toml", text);
    return read(path_).value();
  };
  write("words.txt", "casino\npoker");
  write("fewer.txt", "casino");
  auto strict = shop("[moderation]\nhold = \"all\"\nreports = 3\n");
  EXPECT_EQ(strict.looser_than(strict), std::vector<std::string>());
  auto cut = shop("[moderation]\n");
  EXPECT_EQ(cut.looser_than(strict),
            (std::vector<std::string>{"hold was \"all\", and is \"none\" now",
                                      "reports was 3, and is 0 now"}));
  EXPECT_EQ(strict.looser_than(cut), std::vector<std::string>()) << "stricter is no warning";
  auto rules = shop(by_words_ + "links = true\nfirst = true\n");
  EXPECT_EQ(rules.looser_than(strict).front(), "hold was \"all\", and is \"rules\" now");
  auto fewer = shop("[moderation]\nhold = \"rules\"\nwords = \"fewer.txt\"\n");
  EXPECT_EQ(fewer.looser_than(rules),
            (std::vector<std::string>{"first was true, and is false now",
                                      "links was true, and is false now",
                                      "the number of words was 2, and is 1 now"}));
  auto closed = shop("[writing]\nwho = \"customers\"\nonce = true\n");
  auto open = shop("[writing]\nwho = \"anyone\"\nedit_days = 2\n");
  EXPECT_EQ(open.looser_than(closed),
            (std::vector<std::string>{"who in [writing] was \"customers\", and is \"anyone\" now",
                                      "once was true, and is false now",
                                      "edit_days was 0, and is 2 now"}));
}

// Waits for the thread, which looks so often; the others look themselves.
TEST_F(ShopFileTest, WatchReadsTheFilesAgain) {
  static_assert(ShopFile::unchanged_for + 2 * ShopFile::look_every < std::chrono::seconds(3));
  name_it("One");
  std::atomic<int> changes = 0;
  auto file = ShopFile::open(path_).value();
  file->watch([&changes] { ++changes; });
  name_it("Two");
  while (file->shop()->name != "Two") {
    file->reload();  // beside the thread
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  while (changes == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  int told = changes;
  name_it("Three");
  while (changes == told) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(file->shop()->name, "Three");
}

TEST_F(ShopFileTest, AFaultAtTheStartIsRefused) {
  EXPECT_FALSE(ShopFile::open(path_));
  write("shop.toml", "[shop]\nnaem = \"One\"\n");
  auto file = ShopFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::invalid_parameter);
}

}  // namespace
}  // namespace quire::shop
