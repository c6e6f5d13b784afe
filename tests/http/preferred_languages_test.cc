// What Accept-Language selects of the languages that a product has.
#include "http/accept.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

using Languages = std::vector<std::string>;
const Languages have{"de", "de-CH", "en", "pt", "pt-BR", "und", "zh-Hant"};

TEST(PreferredLanguages, ARangeAcceptsTheLanguagesThatItBegins) {
  EXPECT_EQ(preferred("de", have), (Languages{"de", "de-CH"}));
  EXPECT_EQ(preferred("de-CH", have), (Languages{"de", "de-CH"})) << "de by lookup";
  EXPECT_EQ(preferred("zh", have), Languages{"zh-Hant"});
  EXPECT_EQ(preferred("ZH-hant-TW", have), Languages{"zh-Hant"});
  EXPECT_EQ(preferred("d", have), Languages{});
  EXPECT_EQ(preferred("en-GB,en;q=0.9, pt-PT ;q=0.5", have), (Languages{"en", "pt"}));
}

TEST(PreferredLanguages, AWeightOfZeroRefuses) {
  EXPECT_EQ(preferred("pt, pt-BR;q=0", have), Languages{"pt"});
  EXPECT_EQ(preferred("pt;q=0, pt-BR", have), Languages{"pt-BR"});
  EXPECT_EQ(preferred("pt; Q=0.000, en ; q=0.001", have), Languages{"en"});
}

TEST(PreferredLanguages, OtherHeadersNameNone) {
  for (const char* header : {"", "*", "*;q=0.1", ",", ";q=1", " , ;", "fr", "-", "e", "en_US"})
    EXPECT_EQ(preferred(header, have), Languages{}) << header;
  EXPECT_EQ(preferred(std::string(10'000, ',') + "en", have), Languages{"en"});
  std::string ranges = "fr";
  for (int i = 1; i < 64; ++i) ranges += ",fr";
  EXPECT_EQ(preferred(ranges + ",en", have), Languages{}) << "the 65th range";
}

TEST(PreferredLanguages, ATargetMayChooseThemInAnyEncoding) {
  for (const char* target : {"/p?language=auto", "/p?a=b&language=auto#", "/p?l%61nguage=aut%6f",
                             "/p?language%3Dauto", "/p?%zz"})
    EXPECT_TRUE(may_choose_languages(target, false)) << target;
  for (const char* target : {"/p", "/language=auto", "/p?language=en", "/p?find=automatic%20"})
    EXPECT_FALSE(may_choose_languages(target, false)) << target;
}

TEST(PreferredLanguages, AProductsPageThatAsksForNothingMayBeginWithThem) {
  for (const char* target : {"/products/42", "/a/products/42?ui=de", "/products/42?utm=page",
                             "/products/42/fragment?base=/p", "/products/42?l%61nguage=en"})
    EXPECT_TRUE(may_choose_languages(target, true)) << target;
  for (const char* target :
       {"/", "/v1/leaderboard", "/products/42?language=en", "/products/42?utm=x&page=2",
        "/products/42?facets=size", "/products/42?sort=created_at&language="})
    EXPECT_FALSE(may_choose_languages(target, true)) << target;
}

}  // namespace
}  // namespace quire::http
