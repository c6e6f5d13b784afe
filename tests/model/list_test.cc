// Facets, lists, their keys, and counts.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "model/counts.h"
#include "model/entry.h"
#include "model/facets.h"

namespace quire {
namespace {

FacetValue language(std::string_view text) {
  return list_facets[language_facet].parse(text).value();
}

TEST(Facets, ValuesAreReadBackAsTheirTexts) {
  for (auto text : {"aa", "en", "und", "zz", "zzz", "pt-BR", "zh-Hant", "zh-Hant-TW", "es-419",
                    "es-000", "es-999", "zzz-Zzzz-ZZ", "aa-Aaaa-AA"}) {
    EXPECT_EQ(list_facets[language_facet].text(language(text)), text);
  }
  for (auto text : {"1", "2", "3", "4", "5"}) {
    EXPECT_EQ(list_facets[rating_facet].text(list_facets[rating_facet].parse(text).value()), text);
  }
}

TEST(Facets, ValuesSortAsTheirTextsDo) {
  std::vector<std::string_view> texts{"aa",  "aaa", "aab", "ab", "de",
                                      "deu", "en",  "und", "zz", "zzz"};
  for (std::size_t i = 1; i < texts.size(); ++i)
    EXPECT_LT(language(texts[i - 1]), language(texts[i]));
}

TEST(Facets, ALanguageIsInItsCanonicalForm) {
  for (auto text : {"",         "e",          "engl",   "EN",       "en-",          "-en",
                    "en-us",    "en-Us",      "en-USA", "en-U",     "en-41",        "en-4199",
                    "en-hant",  "en-HANT",    "en-Han", "en-Hants", "en-US-",       "en--US",
                    "en-US-US", "en-US-Hant", "en_US",  "en-Hant-", "en-Latn-Latn", "e1",
                    "en-4B9",   "en-Lat1",    "en US"}) {
    EXPECT_FALSE(list_facets[language_facet].parse(text)) << text;
  }
}

TEST(Facets, ALanguageHasACanonicalForm) {
  EXPECT_EQ(canonical_language("en"), "en");
  EXPECT_EQ(canonical_language("EN"), "en");
  EXPECT_EQ(canonical_language("en_US"), "en-US");
  EXPECT_EQ(canonical_language("pt-br"), "pt-BR");
  EXPECT_EQ(canonical_language("ES_419"), "es-419");
  EXPECT_EQ(canonical_language("zh-hant"), "zh-Hant");
  EXPECT_EQ(canonical_language("ZH-hANT-tw"), "zh-Hant-TW");
  EXPECT_EQ(canonical_language("MAS-latn-419"), "mas-Latn-419");
  for (auto none : {"", "-", "_", "e", "en-", "en_", "_en", "en--US", "english", "en-USA", "auto",
                    "en_US.UTF-8", "en US", "en-US-Hant", "sl-rozaj", "é"})
    EXPECT_FALSE(canonical_language(none)) << none;
  EXPECT_FALSE(canonical_language(std::string(256 * 1024, '_')));
}

TEST(Facets, EveryValueHasAtMostOneText) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    FacetValue value = random() >> (random() % 64);
    auto text = list_facets[language_facet].text(value);
    auto parsed = list_facets[language_facet].parse(text);
    if (parsed == value) continue;
    EXPECT_TRUE(!parsed || list_facets[language_facet].text(*parsed) == text) << value;
  }
}

TEST(Facets, RatingsAreOneDigitFromOneToFive) {
  for (auto text : {"", "0", "6", "05", "5 ", "-1", "a"}) {
    EXPECT_FALSE(list_facets[rating_facet].parse(text)) << text;
  }
}

TEST(Facets, ACellPacksALanguageFromTheLeft) {
  auto letters = [](std::string_view text, int bits) {
    FacetValue value = 0;
    for (char c : text) value = value * 32 + static_cast<FacetValue>(c == ' ' ? 0 : c % 32);
    return value << bits;
  };
  EXPECT_EQ(cell("en", 5), (Cell{letters("en ", 31), 5}));
  EXPECT_EQ(cell("und", 1), (Cell{letters("und", 31), 1}));
  EXPECT_EQ(cell("zh-Hant", 1), (Cell{letters("zh ", 31) + letters("hant", 11), 1}));
  EXPECT_EQ(cell("pt-BR", 1), (Cell{letters("pt ", 31) + 1024 + letters("br", 0), 1}));
  EXPECT_EQ(cell("es-419", 1), (Cell{letters("es ", 31) + 420, 1}));
  EXPECT_EQ(cell("en", 5)[0], 0xAE0'0000'0000u);
}

TEST(Lists, CoverTheCellsThatShareTheirValues) {
  Cell of_all{}, of_en{language("en"), any}, of_fives{any, 5}, of_en_fives = cell("en", 5);
  for (auto list : {of_all, of_en, of_fives, of_en_fives}) EXPECT_TRUE(covers(list, cell("en", 5)));
  EXPECT_TRUE(covers(of_en, cell("en", 1)));
  EXPECT_FALSE(covers(of_en, cell("de", 5)));
  EXPECT_FALSE(covers(of_fives, cell("en", 4)));
  EXPECT_FALSE(covers(of_en_fives, cell("de", 5)));
}

TEST(Lists, OfAnIndexHaveTheValuesOfItsFacets) {
  std::vector<std::string> keys;
  for (const auto& index : indexes) keys.push_back(list_key("42", list_of(index, cell("en", 5))));
  EXPECT_EQ(keys, (std::vector<std::string>{"PRODUCT#42", "PRODUCT#42/en", "PRODUCT#42/5",
                                            "PRODUCT#42/en/5"}));
}

TEST(ListKey, NoProductCanForgeAnothersList) {
  std::set<std::string> keys;
  std::size_t made = 0;
  for (auto product : {"42", "42/en", "42/5", "42/en/5", "42/", "/42", "42#", "#42", "42%2Fen",
                       "PRODUCT#42", "42/EN", "42 ", "é", "%C3%A9", "en", "5"}) {
    for (auto lang : {any, language("en"), language("und")}) {
      for (FacetValue rating : {0, 1, 5}) {
        auto key = list_key(product, {lang, rating});
        EXPECT_TRUE(keys.insert(key).second) << key;
        ++made;
        auto facets_wanted = std::size_t{lang != any} + std::size_t{rating != any};
        EXPECT_EQ(std::count(key.begin(), key.end(), '/'), facets_wanted) << key;
        EXPECT_EQ(std::count(key.begin(), key.end(), '#'), 1) << key;
      }
    }
  }
  EXPECT_EQ(keys.size(), made);
}

TEST(ListKey, KeepsUnreservedCharactersAndEncodesTheRest) {
  EXPECT_EQ(list_key("a-._~Z9/é", Cell{}), "PRODUCT#a-._~Z9%2F%C3%A9");
}

TEST(Counts, TellTheLengthOfEveryList) {
  Counts counts;
  counts.add(cell("en", 5), 10);
  counts.add(cell("en", 1), 3);
  counts.add(cell("de", 5), 2);
  EXPECT_EQ(counts.total(), 15u);
  EXPECT_EQ(counts.length({language("en"), any}), 13u);
  EXPECT_EQ(counts.length({any, 5}), 12u);
  EXPECT_EQ(counts.length(cell("en", 5)), 10u);
  EXPECT_EQ(counts.length(cell("de", 1)), 0u);
}

TEST(Counts, TellHowManyAFilterSelects) {
  Counts counts;
  counts.add(cell("en", 5), 10);
  counts.add(cell("en", 1), 3);
  counts.add(cell("de", 5), 2);
  EXPECT_EQ(counts.total(Filter{}), 15u);
  EXPECT_EQ(counts.total(Filter{"42", {{{language("en")}, {1, 2}}}}), 3u);
  EXPECT_EQ(counts.total(Filter{"42", {{{}, {5}}}}), 12u);
  EXPECT_EQ(counts.total(Filter{"42", {{{language("fr")}, {}}}}), 0u);
}

TEST(Counts, KeepNoRowForNoComments) {
  Counts counts;
  counts.add(cell("en", 5), 0);
  EXPECT_TRUE(counts.rows().empty());
  EXPECT_EQ(counts.total(), 0u);
}

TEST(Order, NewestFirstIsTheMirrorImageOfOldestFirst) {
  Ulid older = Ulid::make(1, {}), newer = Ulid::make(2, {});
  for (Order order : {Order::newest_first, Order::oldest_first}) {
    bool newest = order == Order::newest_first;
    EXPECT_EQ(precedes(newer, older, order), newest);
    EXPECT_EQ(precedes(older, newer, order), !newest);
    EXPECT_FALSE(precedes(older, older, order));
    EXPECT_TRUE(precedes(just_before(older, order), older, order));
    EXPECT_EQ(just_before(older, order), newest ? older.next() : older.previous());
    EXPECT_NE(opposite(order), order);
  }
}

}  // namespace
}  // namespace quire
