// Terms of comments, and which comments a question finds.
#include "words/terms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "base/rounds.h"
#include "words/plain_words.h"
#include "words/question.h"
#include "words/rules.h"

namespace quire::words {
namespace {

using Strings = std::vector<std::string>;

Strings terms_of(std::string_view text, std::string_view language, std::string_view title = {}) {
  static Terms terms;
  return terms.of(title, text, language);
}

bool finds(std::string_view question, std::string_view text, std::string_view language,
           Stemmers stemmers = all_stemmers) {
  auto asked = parse_question(question, stemmers);
  EXPECT_TRUE(asked) << question;
  return asked && matches(*asked, terms_of(text, language));
}

TEST(Stemmers, AreOfTheLanguageAlone) {
  EXPECT_EQ(code_of(stemmer_of("de-AT")), "de");
  EXPECT_EQ(code_of(stemmer_of("sr-Latn-RS")), "sr");
  EXPECT_EQ(code_of(stemmer_of("nb")), "no");
  EXPECT_EQ(code_of(stemmer_of("nn-NO")), "no");
  for (auto language : {"", "und", "ja", "zh-Hant", "ko", "th", "he", "pl", "e", "en_US"})
    EXPECT_EQ(stemmer_of(language), unstemmed) << language;
  for (Stemmer stemmer = 0; stemmer < stemmers; ++stemmer)
    EXPECT_EQ(stemmer_with(code_of(stemmer)), stemmer);
  EXPECT_EQ(stemmer_with("xx"), std::nullopt);
}

TEST(Stemmers, HaveStems) {
  Stems stems;
  for (Stemmer stemmer = 0; stemmer < stemmers; ++stemmer)
    EXPECT_FALSE(stems.of("abc", stemmer).empty()) << code_of(stemmer);
  EXPECT_EQ(stems.of("jackets", stemmer_of("en")), "jacket");
  EXPECT_EQ(stems.of("jackets", unstemmed), "jackets");
}

TEST(Terms, AreThoseOfTitleAndTextOnceAndSorted) {
  EXPECT_EQ(terms_of("The zipper fits. The ZIPPERS", "en-GB", "Fits well"),
            (Strings{"\1en", "fit", "the", "well", "zipper"}));
  EXPECT_EQ(terms_of("Fits", "und"), (Strings{"\1", "fits"}));
  EXPECT_EQ(terms_of("", "de"), (Strings{"\1de"}));
}

TEST(Terms, OfRunsAreCharactersAndPairs) {
  EXPECT_EQ(terms_of("性价比", "zh"), (Strings{"\1", "价", "价比", "性", "性价", "比"}));
  EXPECT_EQ(terms_of("价 比", "zh", "性"), (Strings{"\1", "价", "性", "比"}));
}

TEST(Terms, AreStemmedAfterAccentsAreOff) {
  EXPECT_EQ(terms_of("canciones", "es"), terms_of("cancióneś", "es"));
  EXPECT_EQ(terms_of("güzeldi", "tr"), terms_of("guzeldi", "tr"));
  EXPECT_EQ(terms_of("красивый", "ru"), terms_of("красивая", "ru"));
}

TEST(Terms, AboveTheLimitAreABeginningAndAHash) {
  std::string longest(max_term, 'a'), longer = longest + "a", other = longest + "b";
  EXPECT_EQ(term_of(longest), longest);
  EXPECT_EQ(term_of(longer), std::string(48, 'a') + "PMPDFCPDNLICKAGE");
  EXPECT_EQ(term_of(longer).size(), max_term);
  EXPECT_NE(term_of(longer), term_of(other));
  std::string wide = "a";
  for (int i = 0; i < 40; ++i) wide += "я";
  EXPECT_EQ(term_of(wide).size(), 47u + 16) << "a character is not cut";
  EXPECT_TRUE(finds(longer, "so " + longer, "en"));
  EXPECT_FALSE(finds(other, "so " + longer, "en"));
  EXPECT_FALSE(finds(term_of(longer), longer, "en"));
}

TEST(Questions, FindWordsWithoutCaseAndAccents) {
  EXPECT_TRUE(finds("GRÖSSE", "die Größe stimmt", "de"));
  EXPECT_FALSE(finds("Groesse", "die Größe stimmt", "de"));
  EXPECT_TRUE(finds("ecran", "l’écran est beau", "fr"));
  EXPECT_TRUE(finds("don't", "I don’t know", "en"));
  EXPECT_FALSE(finds("Verschluss", "Reißverschluss", "de"));
  EXPECT_FALSE(finds("fits badly", "fits well", "en"));
}

TEST(Questions, FindEachFormThatAStemmerJoins) {
  EXPECT_TRUE(finds("fits", "it fitted", "en"));
  EXPECT_FALSE(finds("fits", "it fitted", "und")) << "no stemmer";
  EXPECT_TRUE(finds("fits", "a good fit", "und")) << "by the stem of another language";
  EXPECT_TRUE(finds("fits", "it fits", "und"));
  EXPECT_FALSE(finds("fits", "a good fit", "und", only(unstemmed)));
  EXPECT_FALSE(finds("fits", "it fits", "en", only(unstemmed))) << "a stemmer that is not asked";
  EXPECT_FALSE(finds("fits", "it fits", "en", 0));
}

// A stem of one language is no word of a comment in another.
TEST(Questions, AskEachLanguageForItsOwnStem) {
  auto stemmers = only(stemmer_of("en")) | only(stemmer_of("ru")) | only(unstemmed);
  auto question = parse_question("jackets", stemmers);
  ASSERT_TRUE(question);
  ASSERT_EQ(question->words.size(), 1u);
  const auto& forms = question->words[0].all.at(0);
  ASSERT_EQ(forms.size(), 2u);
  EXPECT_EQ(forms[0].term, "jackets");
  EXPECT_EQ(forms[0].of, only(stemmer_of("ru")) | only(unstemmed));
  EXPECT_EQ(forms[1].term, "jacket");
  EXPECT_EQ(forms[1].of, only(stemmer_of("en")) | only(unstemmed));
}

TEST(Questions, OfRunsAreTheirPairs) {
  EXPECT_TRUE(finds("性价比", "性价比高", "zh"));
  EXPECT_FALSE(finds("性比", "性价比高", "zh"));
  EXPECT_TRUE(finds("京", "東京都", "ja"));
  EXPECT_TRUE(finds("京都", "東京都", "ja"));
  EXPECT_FALSE(finds("パー", "ジッパー", "ja")) << "Katakana is whole";
}

TEST(Questions, OfHangulFindWordsThatBeginSo) {
  EXPECT_TRUE(finds("지퍼", "지퍼가 고장", "ko"));
  EXPECT_FALSE(finds("퍼가", "지퍼가 고장", "ko"));
  EXPECT_FALSE(finds("zip", "zipper", "ko"));
  std::string beginning, word;
  for (int i = 0; i < 16; ++i) beginning += "가";
  for (int i = 0; i < 30; ++i) word += "가";
  EXPECT_TRUE(finds(beginning, word, "ko")) << "of a word that was cut";
  EXPECT_FALSE(finds(beginning + "가", word, "ko"));
  EXPECT_TRUE(finds(word, word, "ko"));
}

// The table of docs/words.md.
TEST(Questions, FindAsTheDocumentSays) {
  struct Example {
    std::string_view language, text, found, not_found;
  };
  constexpr Example examples[] = {
      {"de", "Größe", "GRÖSSEN", "Groesse"},
      {"en", "great.I", "great", "greatI"},
      {"en", "zipper", "zippers", "zip"},
      {"en", "bought", "BOUGHT", "buy"},
      {"fr", "l’écran", "ecran", "cran"},
      {"de", "Straße", "strasse", "strase"},
      {"de", "Größe", "grosse", "Groesse"},
      {"ru", "ещё", "еще", "ищё"},
      {"tr", "ışık", "IŞIK", "aşık"},
      {"tr", "ışık", "ISIK", "sik"},
      {"zh", "性价比", "性价", "性比"},
      {"zh", "东京都", "京都", "东都"},
      {"ja", "ジッパー", "ｼﾞｯﾊﾟｰ", "ジッパ"},
      {"ko", "지퍼가", "지퍼", "퍼가"},
      {"ar", "الكتاب", "كتاب", "تاب"},
      {"ar", "وكتاب", "كتاب", "تاب"},
      {"he", "שָׁלוֹם", "שלום", "לום"},
      {"he", "הספר", "הספר", "ספר"},
      {"he", "צה״ל", "צה\"ל", "צה"},
      {"fa", "می‌خواهم", "میخواهم", "خواهم"},
      {"ca", "col·lecció", "colleccio", "col"},
      {"en", "3.5", "3.5", "3,5"},
  };
  for (const auto& example : examples) {
    EXPECT_TRUE(finds(example.found, example.text, example.language)) << example.found;
    EXPECT_FALSE(finds(example.not_found, example.text, example.language)) << example.not_found;
  }
}

std::string refusal(std::string_view text) {
  auto question = parse_question(text, all_stemmers);
  if (question) return "";
  EXPECT_EQ(question.error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(question.error().parameter, "q");
  return question.error().message;
}

TEST(Questions, HaveLimits) {
  EXPECT_EQ(refusal("a b c d e f g h"), "");
  EXPECT_EQ(refusal("a b c d e f g h i"),
            "There are 9 words to look for, 8 at most. Leave some out.");
  EXPECT_EQ(refusal("don't a b c d e f g"), "") << "a word as typed";
  EXPECT_EQ(refusal("性价比很高性价比很高"), "") << "a run is one word";
  EXPECT_EQ(refusal("…!"), "There is no word to look for: a word has a letter or a digit.");
  EXPECT_EQ(refusal(""), refusal("…!"));
  EXPECT_EQ(refusal(utf8(std::u32string(200, U'я'))), "");
  EXPECT_EQ(refusal(utf8(std::u32string(201, U'я'))),
            "The words to look for have 201 characters, 200 at most. Shorten them.");
  EXPECT_EQ(refusal("a\xFF"), "The words to look for are no UTF-8. Encode them as UTF-8.");
}

bool plainly_finds(std::u32string_view question, const std::set<std::string>& terms) {
  std::string before;
  auto pieces = plain_pieces(question);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& piece = pieces[i];
    bool followed = i + 1 < pieces.size() && pieces[i + 1].goes_on;
    if (piece.goes_on && !terms.contains(before + piece.form)) return false;
    before = piece.form;
    if (piece.run && (piece.goes_on || followed)) continue;
    auto at = terms.lower_bound(piece.form);
    if (at == terms.end()) return false;
    if (piece.hangul ? !at->starts_with(piece.form) : *at != piece.form) return false;
  }
  return true;
}

TEST(Questions, FindAsByHand) {
  std::mt19937_64 random(58);
  int found = 0, asked = 0;
  for (int round = 0; round < rounds(5000); ++round) {
    auto text = random_text(random, 60);
    auto wanted = random() % 3 ? text.substr(random() % 50, 1 + random() % 10)
                               : random_text(random, 1 + random() % 6);
    auto question = parse_question(utf8(wanted), only(unstemmed));
    if (!question) {
      ASSERT_TRUE(plain_pieces(wanted).empty() || plain_pieces(wanted).size() > 8);
      continue;
    }
    ++asked;
    auto expected = plainly_finds(wanted, plain_terms(text));
    ASSERT_EQ(matches(*question, terms_of(utf8(text), "und")), expected)
        << utf8(wanted) << " in " << utf8(text);
    found += expected;
  }
  EXPECT_GT(found, asked / 20);
  EXPECT_LT(found, asked / 20 * 19);
}

TEST(Questions, AreThoseOfTheirPlainWords) {
  std::mt19937_64 random(60);
  using Looked = std::tuple<std::string, bool, Stemmers>;
  auto looked_for = [](const Question& question) {
    std::set<std::set<Looked>> all;
    for (const auto& word : question.words) {
      for (const auto& forms : word.all) {
        std::set<Looked> one;
        for (const auto& form : forms) one.emplace(form.term, form.begins, form.of);
        all.insert(std::move(one));
      }
    }
    return all;
  };
  for (int round = 0; round < rounds(2000); ++round) {
    auto text = utf8(random_text(random, 1 + random() % 12));
    auto stemmers = static_cast<Stemmers>(random()) & all_stemmers;
    auto question = parse_question(text, stemmers);
    auto plain = plain_words(text);
    ASSERT_EQ(question.ok(), plain.ok()) << text;
    if (!question) continue;
    ASSERT_EQ(looked_for(*question), looked_for(question_of(*plain, stemmers))) << text;
  }
}

// Whatever the stemmer makes of a word, it makes the same of it again.
TEST(Questions, FindAWordOfACommentInEachLanguage) {
  std::mt19937_64 random(59);
  for (int round = 0; round < rounds(600); ++round) {
    auto stemmer = static_cast<Stemmer>(random() % stemmers);
    auto text = utf8(random_text(random, 40));
    Cutter cutter;
    for (const auto& piece : cutter.cut(text)) {
      auto word = text.substr(piece.begin, piece.end - piece.begin);
      ASSERT_TRUE(finds(word, text, code_of(stemmer))) << word << " in " << text;
    }
  }
}

TEST(Terms, OfAnyBytesHaveTheirBounds) {
  std::mt19937_64 random(60);
  for (int round = 0; round < rounds(1000); ++round) {
    std::string bytes;
    for (int i = 0; i < 200; ++i) bytes += static_cast<char>(random() % 3 ? random() : 'x');
    auto language = code_of(static_cast<Stemmer>(random() % stemmers));
    auto terms = terms_of(bytes, language);
    ASSERT_EQ(terms.front(), hidden_term(stemmer_of(language)));
    ASSERT_TRUE(std::is_sorted(terms.begin(), terms.end()));
    for (const auto& term : terms) {
      ASSERT_LE(term.size(), max_term);
      ASSERT_EQ(term.find('\0'), term.npos);
      ASSERT_TRUE(!term.empty() && (term[0] != '\1' || term == terms.front()));
    }
  }
}

// A change of terms makes those that stores keep useless. If it is meant, `rules_number` rises.
TEST(Rules, AreThoseOfTheirNumber) {
  const auto& present = rules();
  EXPECT_EQ(present.number, 2u);
  EXPECT_EQ(present.icu, "72.1") << "another ICU has other dictionaries, and so another probe";
  EXPECT_EQ(present.unicode, "15.0");
  EXPECT_EQ(fmt::format("{:016x}", present.probe), "50bc362a8d3a9896");
}

TEST(Rules, OfAnotherKindHaveAnotherDigest) {
  auto same = rules(), number = same, icu = same, unicode = same, probe = same;
  ++number.number;
  icu.icu = "73.1";
  unicode.unicode = "15.1";
  ++probe.probe;
  EXPECT_EQ(digest(same), digest(rules()));
  std::set<std::uint64_t> digests = {digest(same), digest(number), digest(icu), digest(unicode),
                                     digest(probe)};
  EXPECT_EQ(digests.size(), 5u);
}

}  // namespace
}  // namespace quire::words
