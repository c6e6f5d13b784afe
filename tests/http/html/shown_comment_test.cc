// Where a long text is cut.
#include "http/html/shown_comment.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

TEST(BeginningOf, ShortTextsAreShownWhole) {
  EXPECT_EQ(beginning_of(""), std::nullopt);
  EXPECT_EQ(beginning_of(repeated("a", 1000)), std::nullopt);
  EXPECT_EQ(beginning_of(repeated("line\n", 15)), std::nullopt);
}

TEST(BeginningOf, LongTextsEndAfterAWord) {
  auto text = repeated("word ", 201);
  EXPECT_EQ(beginning_of(text), text.substr(0, 699));
}

TEST(BeginningOf, ManyLinesEndAfterTheTenth) {
  auto text = repeated("line\n", 16);
  EXPECT_EQ(beginning_of(text), text.substr(0, 10 * 5 - 1));
  EXPECT_EQ(beginning_of(repeated("\n", 16)), repeated("\n", 9));
}

TEST(BeginningOf, NoCharacterIsCutInTwo) {
  for (int shift = 0; shift < 4; ++shift) {
    for (std::string_view character : {"\xC3\xA9", "\xE6\xBC\xA2", "\xF0\x9F\x98\x80"}) {
      auto text = repeated("a", shift) + repeated(character, 2000);
      auto beginning = beginning_of(text).value();
      EXPECT_EQ((beginning.size() - static_cast<std::size_t>(shift)) % character.size(), 0u);
      EXPECT_LE(beginning.size(), 700u);
      EXPECT_GT(beginning.size(), 700u - character.size());
      EXPECT_TRUE(text.starts_with(beginning));
    }
  }
}

TEST(BeginningOf, ASpaceFarAheadDoesNotShortenTheRest) {
  auto text = "a " + repeated("b", 2000);
  EXPECT_EQ(beginning_of(text).value().size(), 700u);
}

TEST(Excerpts, EndAfterAWord) {
  auto [comment, is_cut] = excerpt_of({.text = repeated("word ", 100)});
  EXPECT_TRUE(is_cut);
  EXPECT_EQ(comment.text, repeated("word ", 35) + "word");
  EXPECT_FALSE(excerpt_of({.text = repeated("a", 180)}).cut);
}

TEST(BlankRuns, BecomeOneBlankLine) {
  EXPECT_EQ(without_blank_runs("a\n\nb\nc"), "a\n\nb\nc");
  EXPECT_EQ(without_blank_runs("a\n\n\n\nb"), "a\n\nb");
  EXPECT_EQ(without_blank_runs("a\n \n\t\n  b"), "a\n\n  b");
  EXPECT_EQ(without_blank_runs("a  \nb "), "a  \nb ");
  EXPECT_EQ(without_blank_runs("\n\n\n"), "\n\n");
  EXPECT_EQ(without_blank_runs(""), "");
}

}  // namespace
}  // namespace quire::http
