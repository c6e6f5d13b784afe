// Which texts a phrase is found in.
#include "shop/phrases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace quire::shop {
namespace {

bool found(const std::string& phrase, std::string_view text) {
  return Phrases({phrase}).in(text);
}

TEST(Phrases, AreWholeWords) {
  EXPECT_TRUE(found("casino", "casino"));
  EXPECT_TRUE(found("casino", "The best (casino)!"));
  EXPECT_FALSE(found("casino", "casinos"));
  EXPECT_FALSE(found("ass", "A classic, class assured."));
  EXPECT_FALSE(found("казино", "казиношный"));
  EXPECT_TRUE(found("كازينو", "أفضل كازينو هنا"));
  EXPECT_FALSE(Phrases().in("casino"));
  EXPECT_FALSE(found("casino", ""));
}

TEST(Phrases, LeaveCaseAndAccentsAside) {
  EXPECT_TRUE(found("casino", "CASINO"));
  EXPECT_TRUE(found("Casino", "cäsïñó"));
  EXPECT_TRUE(found("straße", "STRASSE"));
  EXPECT_TRUE(found("smørrebrød", "Smorrebrod"));
  EXPECT_TRUE(found("łódź", "LODZ"));
  EXPECT_TRUE(found("istanbul", "İSTANBUL"));
  EXPECT_TRUE(found("λόγος", "ΛΟΓΟΣ"));
  EXPECT_TRUE(found("ёлка", "ЕЛКА"));
  EXPECT_TRUE(found("كتاب", "كِتَابٌ"));
  EXPECT_TRUE(found("שלום", "שָׁלוֹם"));
  EXPECT_TRUE(found("việt nam", "viet\u0323\u0302 Nam")) << "marks beside their letters";
}

TEST(Phrases, LeaveDifferencesOfFormAside) {
  EXPECT_TRUE(found("casino", "ｃａｓｉｎｏ"));
  EXPECT_TRUE(found("casino", "𝓬𝓪𝓼𝓲𝓷𝓸"));
  EXPECT_TRUE(found("casino", "ca\u200Bsi\u00ADno")) << "invisible characters";
  EXPECT_TRUE(found("カジノ", "ｶｼﾞﾉ")) << "of half width";
  EXPECT_TRUE(found("top 10", "top ١٠")) << "digits of any script";
}

TEST(Phrases, KeepMarksThatMakeOtherLetters) {
  EXPECT_FALSE(found("バス", "パス"));
  EXPECT_FALSE(found("कि", "की"));
  EXPECT_TRUE(found("कि", "क कि"));
  EXPECT_FALSE(found("มา", "มี"));
}

TEST(Phrases, OfSeveralWordsMatchAcrossSpacesAndPunctuation) {
  EXPECT_TRUE(found("online casino", "Try online\n  casino"));
  EXPECT_TRUE(found("online casino", "online-casino, now"));
  EXPECT_TRUE(found("don't buy", "Don’t buy!"));
  EXPECT_FALSE(found("online casino", "online the casino"));
  EXPECT_FALSE(found("online casino", "casino online"));
  EXPECT_FALSE(found("online casino", "onlinecasino"));
}

TEST(Phrases, OfScriptsWithoutSpacesAreFoundWithinLongerWords) {
  EXPECT_TRUE(found("赌场", "这是最好的赌场网站"));
  EXPECT_TRUE(found("カジノ", "オンラインカジノで"));
  EXPECT_TRUE(found("คาสิโน", "เว็บคาสิโนออนไลน์"));
  EXPECT_FALSE(found("赌场", "赌一场"));
  EXPECT_TRUE(found("casino", "最好的casino网站")) << "a Latin word among them is a word";
  EXPECT_TRUE(found("카지노", "최고의 카지노!"));
  EXPECT_FALSE(found("카지노", "카지노에서")) << "Korean has spaces";
}

TEST(Phrases, AreFoundWhereOthersBeginAlike) {
  Phrases phrases({"a b c d", "b c", "c x"});
  EXPECT_TRUE(phrases.in("a b c"));
  EXPECT_TRUE(phrases.in("a b a b c e"));
  EXPECT_TRUE(phrases.in("a b c x"));
  EXPECT_TRUE(phrases.in("a c x"));
  EXPECT_FALSE(phrases.in("a b a b a c a d"));
  EXPECT_TRUE(Phrases({"a a b"}).in("a a a a b"));
  Phrases longer({"a b c d", "x b c"});
  EXPECT_TRUE(longer.in("a x b c"));
  EXPECT_FALSE(longer.in("a b c"));
}

TEST(Phrases, AreToldAsTheTextWritesThem) {
  EXPECT_EQ(Phrases({"free money"}).first_in("Get ＦＲＥＥ - Mönéy, now"), "ＦＲＥＥ - Mönéy");
  EXPECT_EQ(Phrases({"b", "a b c"}).first_in("x a b c"), "b") << "the one that ends first";
  EXPECT_EQ(Phrases({"c", "a b c"}).first_in("x a b c"), "a b c") << "the longer of two";
  EXPECT_EQ(Phrases({"赌场"}).first_in("这是最好的赌场网站"), "赌场");
  EXPECT_EQ(Phrases({"cafe"}).first_in("a Cafe\u0301!"), "Cafe\u0301");
  EXPECT_EQ(Phrases({"a"}).first_in("b"), "");
}

// Compares with a plain search, on texts of few words.
TEST(Phrases, FindWhatAPlainSearchFinds) {
  std::uint32_t state = 1;
  auto draw = [&](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % below;
  };
  auto sequence = [&](std::uint32_t words) {
    std::string out = " ";
    for (std::uint32_t i = 0; i < words; ++i) out += std::string(1, "abc"[draw(3)]) + " ";
    return out;
  };
  int hits = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::string> phrases;
    for (std::uint32_t i = 0, n = 1 + draw(4); i < n; ++i) phrases.push_back(sequence(2 + draw(5)));
    auto text = sequence(draw(16));
    bool expected = false;
    for (const auto& phrase : phrases) expected = expected || text.find(phrase) != text.npos;
    auto found = Phrases(phrases).first_in(text);
    EXPECT_EQ(!found.empty(), expected) << text;
    auto spaced = fmt::format(" {} ", found);
    EXPECT_TRUE(!expected || std::find(phrases.begin(), phrases.end(), spaced) != phrases.end())
        << spaced << "in" << text;
    hits += expected;
  }
  EXPECT_GT(hits, 1000);
  EXPECT_LT(hits, 4000);
}

TEST(Phrases, NeedALetterOrDigit) {
  EXPECT_TRUE(has_word("10 %"));
  EXPECT_TRUE(has_word("赌"));
  EXPECT_FALSE(has_word(" – !? "));
  EXPECT_FALSE(has_word("🍆"));
  EXPECT_FALSE(has_word("\u0301"));
}

// Bytes that are no UTF-8 end a word, and nothing else.
TEST(Phrases, TakeAnyBytes) {
  EXPECT_TRUE(found("casino", "\xFF casino \xC3"));
  EXPECT_FALSE(found("casino", "cas\xFFino"));
}

}  // namespace
}  // namespace quire::shop
