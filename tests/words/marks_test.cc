// Where the words of a question are.
#include "words/marks.h"

#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "words/plain_words.h"
#include "words/terms.h"

namespace quire::words {
namespace {

// The text with [ and ] around what is marked.
std::string marked(std::string_view question, std::u32string_view text, std::string_view language) {
  auto asked = parse_question(question, all_stemmers);
  EXPECT_TRUE(asked) << question;
  Marks marks(*asked);
  std::u32string out;
  std::size_t at = 0;
  for (auto mark : marks.in(utf8(text), language)) {
    EXPECT_LE(at, mark.begin);
    EXPECT_LT(mark.begin, mark.end);
    out += text.substr(at, mark.begin - at);
    out += U'[';
    out += text.substr(mark.begin, mark.end - mark.begin);
    out += U']';
    at = mark.end;
  }
  return utf8(out += text.substr(at));
}

TEST(Marks, AreAroundEachFormOfAWord) {
  EXPECT_EQ(marked("fit", U"Fits well. It fitted 👍 and FITS!", "en"),
            "[Fits] well. It [fitted] 👍 and [FITS]!");
  EXPECT_EQ(marked("grosse gut", U"Die Größe: nicht gut", "de"), "Die [Größe]: nicht [gut]");
  EXPECT_EQ(marked("ecran", U"l’e\u0301cran", "fr"), "l’[e\u0301cran]");
  EXPECT_EQ(marked("don't", U"I don’t", "en"), "I [don]’[t]");
  EXPECT_EQ(marked("fitting", U"a fit", "fr"), "a fit") << "the stem of another language";
  EXPECT_EQ(marked("fits", U"", "en"), "");
}

TEST(Marks, OfRunsAreWhole) {
  EXPECT_EQ(marked("性价比", U"手机性价比高，性价好", "zh"), "手机[性价比]高，[性价]好");
  EXPECT_EQ(marked("性", U"性价比", "zh"), "[性]价比");
  EXPECT_EQ(marked("壊れた ジッパー", U"ジッパー壊れた", "ja"), "[ジッパー][壊れた]");
  EXPECT_EQ(marked("지퍼", U"지퍼가 고장", "ko"), "[지퍼가] 고장");
}

// A comment that matches has a mark for each word, and what is marked is found.
TEST(Marks, AreWhereACommentMatches) {
  std::mt19937_64 random(62);
  for (int round = 0; round < rounds(1500); ++round) {
    auto text = random_text(random, 40);
    auto language = code_of(static_cast<Stemmer>(random() % stemmers));
    auto question =
        parse_question(utf8(text.substr(random() % 30, 1 + random() % 9)), all_stemmers);
    if (!question) continue;
    Terms terms;
    auto bytes = utf8(text);
    Marks marks(*question);
    auto found = marks.in(bytes, language);
    bool matched = matches(*question, terms.of({}, bytes, language));
    ASSERT_TRUE(!matched || !found.empty()) << bytes;
    for (auto mark : found) {
      if (text[mark.begin] == U'ー') continue;  // is Katakana where no Hiragana comes before
      auto part = utf8(text.substr(mark.begin, mark.end - mark.begin));
      ASSERT_FALSE(marks.in(part, language).empty()) << part << " in " << bytes;
    }
  }
}

}  // namespace
}  // namespace quire::words
