// Where words begin and end.
#include "words/cutter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>

#include "base/letters.h"
#include "base/rounds.h"
#include "words/plain_words.h"

namespace quire::words {
namespace {

using Forms = std::vector<std::string>;

Forms forms(std::string_view text) {
  static Cutter cutter;
  Forms forms;
  for (const auto& piece : cutter.cut(text)) forms.emplace_back(cutter.form(piece));
  return forms;
}

// The words as typed, as the text has them.
Forms typed(std::string_view text) {
  static Cutter cutter;
  Forms typed;
  std::uint32_t begin = 0;
  for (const auto& piece : cutter.cut(text)) {
    if (piece.typed == typed.size()) {
      begin = piece.begin;
      typed.emplace_back();
    }
    EXPECT_EQ(piece.typed + 1, typed.size());
    typed.back() = text.substr(begin, piece.end - begin);
  }
  return typed;
}

TEST(Cutter, LeavesCaseAccentsAndFormAside) {
  EXPECT_EQ(forms("Größe, ÉCRAN & Señor"), (Forms{"grosse", "ecran", "senor"}));
  EXPECT_EQ(forms("e\u0301cran viet\u0323\u0302"), (Forms{"ecran", "viet"}));
  EXPECT_EQ(forms("IŞIK ışık İstanbul"), (Forms{"isik", "isik", "istanbul"}));
  EXPECT_EQ(forms("smørrebrød ŁÓDŹ"), (Forms{"smorrebrod", "lodz"}));
  EXPECT_EQ(forms("ＡＢｃ１２ ﬁts 𝓬𝓪𝓼"), (Forms{"abc12", "fits", "cas"}));
  EXPECT_EQ(forms("so\u00ADft می\u200Cخواهم كتـاب"), (Forms{"soft", "میخواهم", "كتاب"}));
  for (std::string invisible : {"\u00AD", "\u200D", "\u2060", "\uFEFF"}) {
    EXPECT_EQ(forms("性价" + invisible + "比"), forms("性价比"));
    EXPECT_EQ(forms("지" + invisible + "퍼가"), forms("지퍼가"));
    EXPECT_EQ(forms("ジッ" + invisible + "パー"), forms("ジッパー"));
  }
  EXPECT_EQ(forms("性价\u200B比"), forms("性价 比")) << "a space, as in so\u200Bft";
  EXPECT_EQ(forms("שָׁלוֹם كِتَابٌ أإآ"), (Forms{"שלום", "كتاب", "ااا"}));
  EXPECT_EQ(forms("ΛΌΓΟΣ λόγος"), (Forms{"λογοσ", "λογοσ"}));
}

TEST(Cutter, KeepsLettersThatAreNoAccents) {
  EXPECT_EQ(forms("ёлка Хороший и\u0306"), (Forms{"елка", "хороший", "й"}));
  EXPECT_EQ(forms("बच्चे की"), (Forms{"बच्चे", "की"}));
  EXPECT_EQ(forms("น้ำหนัก"), (Forms{"น\u0E49\u0E4D\u0E32", "หนัก"}));
}

TEST(Cutter, CutsAtApostrophesAndAtSignsBetweenLetters) {
  EXPECT_EQ(forms("don't don’t l'écran"), (Forms{"don", "t", "don", "t", "l", "ecran"}));
  EXPECT_EQ(forms("п'ять п’ять пʼять"), (Forms{"п", "ять", "п", "ять", "п", "ять"}));
  EXPECT_EQ(forms("great.I size:M size：M _very_ a_b"),
            (Forms{"great", "i", "size", "m", "size", "m", "very", "a", "b"}));
  EXPECT_EQ(forms("ג׳ירפה ג'ירפה"), (Forms{"ג", "ירפה", "ג", "ירפה"}));
  EXPECT_EQ(forms("très\u202F! 10\u202F000"), (Forms{"tres", "10", "000"}));
}

TEST(Cutter, KeepsNumbersAndOtherSignsWithinWords) {
  EXPECT_EQ(forms("3.5 1,000 v2.0 3．5 1'000"), (Forms{"3.5", "1,000", "v2.0", "3.5", "1", "000"}));
  EXPECT_EQ(forms("col·lecció צה\"ל צה״ל"), (Forms{"colleccio", "צהל", "צהל"}));
  EXPECT_EQ(forms("٢٠٢٤ ५ 3\uFE0F\u20E3"), (Forms{"2024", "5", "3"}));
}

TEST(Cutter, CutsHanAndHiraganaToCharactersAndKatakanaNot) {
  EXPECT_EQ(forms("性价比高"), (Forms{"性", "价", "比", "高"}));
  EXPECT_EQ(forms("ジッパーが壊れた"), (Forms{"ジッパー", "が", "壊", "れ", "た"}));
  EXPECT_EQ(forms("らーめん人々"), (Forms{"ら", "ー", "め", "ん", "人", "々"}));
  EXPECT_EQ(forms("ﾌﾞﾙｰﾄｩｰｽ ブルートゥース"), (Forms{"ブルートゥース", "ブルートゥース"}));
  EXPECT_EQ(forms("か\u3099 が iPhone用カメラ・レンズ"),
            (Forms{"が", "が", "iphone", "用", "カメラ", "レンズ"}));
  EXPECT_EQ(forms("二〇二四、。"), (Forms{"二", "〇", "二", "四"}));
}

TEST(Cutter, TakesThaiFromTheDictionary) {
  EXPECT_EQ(forms("สวัสดีครับผม"), (Forms{"สวัสดี", "ครับ", "ผม"}));
}

TEST(Cutter, JoinsHangulThatIsWrittenApart) {
  EXPECT_EQ(forms("지퍼가 \u110C\u1175\u1111\u1165"), (Forms{"지퍼가", "지퍼"}));
  EXPECT_EQ(forms("LG전자3개 ㅋㅋ"), (Forms{"lg", "전자", "3", "개", "ᄏᄏ"}));
}

TEST(Cutter, TakesSignsForNoWords) {
  EXPECT_EQ(forms("— ! ™ ½ ① 👍🏽 🇩🇪 … ___ ' ."), Forms{});
  EXPECT_EQ(forms(""), Forms{});
  EXPECT_EQ(forms("\u0301\u0301"), Forms{});
}

TEST(Cutter, CountsWordsAsTyped) {
  EXPECT_EQ(typed("I don't (really) like great.I"),
            (Forms{"I", "don't", "really", "like", "great.I"}));
  EXPECT_EQ(typed("壊れたジッパー"), (Forms{"壊れた", "ジッパー"}));
  EXPECT_EQ(typed("性价比 很高!"), (Forms{"性价比", "很高"}));
}

std::vector<PlainPiece> pieces_of(Cutter& cutter, std::string_view text) {
  std::vector<PlainPiece> pieces;
  const Piece* before = nullptr;
  for (const auto& piece : cutter.cut(text)) {
    bool run = piece.kind == Piece::Kind::character;
    bool goes_on = run && before != nullptr && before->typed == piece.typed;
    pieces.push_back({std::string(cutter.form(piece)), run, piece.hangul, goes_on});
    before = &piece;
  }
  return pieces;
}

std::string code_points(std::u32string_view text) {
  std::string out;
  for (auto c : text) out += fmt::format("{:04X} ", static_cast<std::uint32_t>(c));
  return out;
}

TEST(Cutter, CutsAsByHand) {
  std::mt19937_64 random(55);
  Cutter cutter;
  for (int round = 0; round < rounds(4000); ++round) {
    auto text = random_text(random, random() % 40);
    ASSERT_EQ(pieces_of(cutter, utf8(text)), plain_pieces(text)) << code_points(text);
  }
}

// Texts of ASCII alone go another way.
TEST(Cutter, CutsAsciiAsICUDoes) {
  std::mt19937_64 random(61);
  for (int round = 0; round < rounds(4000); ++round) {
    static constexpr std::string_view all = "abAB019  ..,,;;::''\"__-!/\n";
    std::string text;
    for (auto left = random() % 40; left > 0; --left) text += all[random() % all.size()];
    auto other_way = text + " …";
    ASSERT_EQ(forms(text), forms(other_way)) << text;
    ASSERT_EQ(typed(text), typed(other_way)) << text;
  }
}

std::string decomposed(std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  const auto* form_d = icu::Normalizer2::getNFDInstance(code);
  auto units = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  std::string out;
  return form_d->normalize(units, code).toUTF8String(out);
}

TEST(Cutter, FindsTheSameInTextsThatLookTheSame) {
  std::mt19937_64 random(56);
  for (int round = 0; round < rounds(1000); ++round) {
    auto text = utf8(random_text(random, 30));
    ASSERT_EQ(forms(decomposed(text)), forms(text)) << text;
  }
}

void expect_whole(Cutter& cutter, std::string_view text) {
  std::uint32_t begin = 0, end = 0, typed = 0;
  for (const auto& piece : cutter.cut(text)) {
    ASSERT_LE(begin, piece.begin);
    ASSERT_LE(end, piece.end);
    ASSERT_LT(piece.begin, piece.end);
    ASSERT_LE(piece.end, text.size());
    ASSERT_LE(piece.typed - typed, 1u);
    ASSERT_FALSE(cutter.form(piece).empty());
    ASSERT_EQ(cutter.form(piece).find('\0'), std::string_view::npos);
    begin = piece.begin;
    end = piece.end;
    typed = piece.typed;
  }
}

TEST(Cutter, TakesAnyBytesAndAnyCharacters) {
  std::mt19937_64 random(57);
  Cutter cutter;
  for (int round = 0; round < rounds(2000); ++round) {
    std::string bytes, characters;
    for (int i = 0; i < 60; ++i) {
      bytes += static_cast<char>(random());
      auto c = static_cast<char32_t>(random() % (random() % 2 ? 0x110000 : 0x10000));
      if (c < 0xD800 || c > 0xDFFF) characters += utf8(c);
    }
    ASSERT_NO_FATAL_FAILURE(expect_whole(cutter, bytes));
    ASSERT_NO_FATAL_FAILURE(expect_whole(cutter, characters));
  }
}

// Would marks be sorted, a word of a million would take minutes.
TEST(Cutter, BoundsMarksInARow) {
  std::string text = "ก";
  for (int i = 0; i < 300'000; ++i) text += i % 2 ? "\u0E48" : "\u0E38";
  auto found = forms(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].size(), 3u + 30 * 3);
}

}  // namespace
}  // namespace quire::words
