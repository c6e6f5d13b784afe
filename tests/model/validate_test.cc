// Checks of comments, and the fields that their errors name.
#include "model/validate.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

const Draft plain{.product = "42", .language = "en", .rating = 5};

std::string times(std::size_t count, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Shortened, ANameOfMiddlesOfCharactersHasNoBeginning) {
  EXPECT_EQ(shortened(std::string(120, '\x80')), "");
  EXPECT_EQ(shortened(times(40, "é€")).size(), 100u);
  EXPECT_EQ(shortened(times(40, "€")), times(33, "€"));
}

// The names of the fields at fault, joined by spaces.
template <class Input>
std::string faults(Input input) {
  auto checked = check(input);
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::invalid_comment);
  std::string names;
  for (const auto& field : checked.error().fields)
    names += (names.empty() ? "" : " ") + field.field;
  return names;
}

// A draft with one text field set, and the name of the field at fault if any.
std::string faults(std::string Draft::*field, std::string value) {
  Draft draft = plain;
  draft.*field = std::move(value);
  return faults(draft);
}

TEST(CheckDraft, ARatingAloneIsAComment) {
  EXPECT_EQ(faults(plain), "");
}

TEST(CheckDraft, LimitsCountCharactersHoweverManyBytesTheyTake) {
  for (std::string_view character : {"a", "é", "€", "😀"}) {
    EXPECT_EQ(faults(&Draft::author, times(100, character)), "");
    EXPECT_EQ(faults(&Draft::author, times(101, character)), "author");
    EXPECT_EQ(faults(&Draft::title, times(300, character)), "");
    EXPECT_EQ(faults(&Draft::title, times(301, character)), "title");
    EXPECT_EQ(faults(&Draft::text, times(50'000, character)), "");
    EXPECT_EQ(faults(&Draft::text, times(50'001, character)), "text");
  }
}

TEST(CheckDraft, AMessageSaysHowLongAndHowLongAtMost) {
  Draft draft = plain;
  draft.author = times(101, "é");
  EXPECT_EQ(check(draft).error().fields[0].message, "has 101 characters; at most 100 are kept");
  EXPECT_EQ(check(draft).error().message,
            "The content is not valid: author has 101 characters; at most 100 are kept.");
}

TEST(CheckDraft, AProductHasOneTo256Bytes) {
  EXPECT_EQ(faults(&Draft::product, ""), "product");
  EXPECT_EQ(faults(&Draft::product, times(256, "a")), "");
  EXPECT_EQ(faults(&Draft::product, times(257, "a")), "product");
  EXPECT_EQ(faults(&Draft::product, times(128, "é")), "");
  EXPECT_EQ(faults(&Draft::product, times(128, "é") + "a"), "product");
}

TEST(CheckDraft, NewlinesAndTabsBelongInTextsButNotInAProduct) {
  for (std::string Draft::*field : {&Draft::author, &Draft::title, &Draft::text}) {
    EXPECT_EQ(faults(field, "a\n\tb"), "");
    EXPECT_NE(faults(field, std::string("a\0b", 3)), "");
    EXPECT_NE(faults(field, "\xFF"), "");
  }
  EXPECT_EQ(faults(&Draft::product, "a\nb"), "product");
  EXPECT_EQ(faults(&Draft::product, "a\tb"), "product");
  EXPECT_EQ(faults(&Draft::product, "\xED\xA0\x80"), "product");
}

TEST(CheckDraft, LinesEndInNewlines) {
  for (std::string Draft::*field : {&Draft::author, &Draft::title, &Draft::text}) {
    Draft draft = plain;
    draft.*field = "\rone\r\ntwo\r\n\rthree\r" + times(49, "\r\n");
    EXPECT_TRUE(check(draft));
    EXPECT_EQ(draft.*field, "\none\ntwo\n\nthree\n" + times(49, "\n"));
  }
  Draft draft = plain;
  draft.author = times(100, "\r\n");
  EXPECT_TRUE(check(draft)) << "100 characters are counted afterwards";
  EXPECT_EQ(faults(&Draft::product, "a\rb"), "product");
}

// Spaces, line feeds, and characters without width or ink: nobody sees them, so nothing is there.
TEST(CheckDraft, BlanksAloneAreAnEmptyText) {
  for (std::string Draft::*field : {&Draft::author, &Draft::title, &Draft::text}) {
    for (const char* blank :
         {" ", "\n\t\r\n", "\u200B", "\u00A0\u00A0", "\u3164", "\u2800 \uFEFF"}) {
      Draft draft = plain;
      draft.*field = blank;
      EXPECT_TRUE(check(draft));
      EXPECT_EQ(draft.*field, "") << blank;
    }
    Draft seen = plain;
    seen.*field = " \u3164x";
    EXPECT_TRUE(check(seen));
    EXPECT_EQ(seen.*field, " \u3164x") << "a text stays as it was written";
  }
  Patch patch{.author = "\u200B"};
  EXPECT_TRUE(check(patch));
  EXPECT_EQ(patch.author, "");
}

TEST(CheckDraft, ALanguageGetsItsCanonicalForm) {
  auto kept = [](std::string language) {
    Draft draft = plain;
    draft.language = std::move(language);
    return check(draft) ? draft.language : "refused";
  };
  EXPECT_EQ(kept("EN"), "en");
  EXPECT_EQ(kept("UND"), "und");
  EXPECT_EQ(kept("en_us"), "en-US");
  EXPECT_EQ(kept("zh-hant"), "zh-Hant");
  EXPECT_EQ(kept("ZH_HANT-tw"), "zh-Hant-TW");
}

TEST(CheckDraft, ALanguageIsATag) {
  for (auto good : {"en", "und", "aa", "zzz", "en-GB", "zh-Hant", "zh-Hant-TW", "es-419"})
    EXPECT_EQ(faults(&Draft::language, good), "");
  for (auto bad : {"", "e", "engl", "e1", "en-", "en_", "_", "en-_US", "é", "e ", "{a", "a`"}) {
    EXPECT_EQ(faults(&Draft::language, bad), "language") << bad;
  }
}

TEST(CheckDraft, ARatingIsOneToFive) {
  for (int rating = -1; rating <= 12; ++rating) {
    Draft draft = plain;
    draft.rating = rating;
    EXPECT_EQ(faults(draft), rating >= 1 && rating <= 5 ? "" : "rating") << rating;
  }
}

TEST(CheckDraft, ATimeIsOneThatHasAText) {
  Draft draft = plain;
  draft.created_ms = max_time_ms;
  EXPECT_EQ(faults(draft), "");
  draft.created_ms = max_time_ms + 1;
  EXPECT_EQ(faults(draft), "created_at");
}

TEST(CheckDraft, EveryFieldAtFaultIsNamed) {
  Draft draft{"", "E", 6, "\x01", "\xFF", "\v", max_time_ms + 1};
  EXPECT_EQ(faults(draft), "product language rating author title text created_at");
}

TEST(CheckPatch, AbsentFieldsAreNotChecked) {
  EXPECT_EQ(faults(Patch{}), "");
  EXPECT_EQ(faults(Patch{.rating = 0}), "rating");
}

TEST(CheckPatch, TakesTheFormOfDrafts) {
  Patch patch{.language = "pt_br", .author = "a\r", .title = "b\r\n", .text = "\r\rc"};
  EXPECT_TRUE(check(patch));
  EXPECT_EQ(patch.language, "pt-BR");
  EXPECT_EQ(patch.author, "a\n");
  EXPECT_EQ(patch.title, "b\n");
  EXPECT_EQ(patch.text, "\n\nc");
}

TEST(CheckPatch, EveryFieldAtFaultIsNamed) {
  Patch patch{"english", 6, times(101, "a"), times(301, "a"), times(50'001, "a")};
  EXPECT_EQ(faults(patch), "language rating author title text");
  EXPECT_EQ(faults(Patch{"en", 5, times(100, "é"), times(300, "é"), ""}), "");
}

TEST(CheckProduct, NamesItsParameter) {
  auto checked = check_product("");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(checked.error().parameter, "product");
  EXPECT_TRUE(check_product("42"));
}

TEST(CheckTime, IsAtMostFiveMinutesAhead) {
  constexpr std::uint64_t now = 1'700'000'000'000, minutes = 5 * 60 * 1000;
  Draft draft = plain;
  EXPECT_TRUE(check_time(draft, now)) << "without a time it is now";
  for (std::uint64_t ms : {std::uint64_t{0}, now, now + minutes}) {
    draft.created_ms = ms;
    EXPECT_TRUE(check_time(draft, now)) << ms;
  }
  for (std::uint64_t ms : {now + minutes + 1, max_time_ms}) {
    draft.created_ms = ms;
    auto checked = check_time(draft, now);
    ASSERT_FALSE(checked) << ms;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_comment);
    EXPECT_EQ(checked.error().fields.at(0).field, "created_at");
  }
}

}  // namespace
}  // namespace quire
