// Tags have the codes of today, for all aliases that CLDR knows.
#include "base/language_tag.h"

#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <regex>

namespace quire {
namespace {

using Bundle = std::unique_ptr<UResourceBundle, decltype(&ures_close)>;

// Calls `visit` with each alias of a kind, and with what CLDR has in its place.
std::size_t visit_aliases(
    const char* kind, const std::function<void(std::string, const std::string& present)>& visit) {
  UErrorCode code = U_ZERO_ERROR;
  Bundle metadata(ures_openDirect(nullptr, "metadata", &code), ures_close);
  Bundle aliases(ures_getByKey(metadata.get(), "alias", nullptr, &code), ures_close);
  Bundle all(ures_getByKey(aliases.get(), kind, nullptr, &code), ures_close);
  EXPECT_TRUE(U_SUCCESS(code)) << kind;
  std::size_t visited = 0;
  while (U_SUCCESS(code) && ures_hasNext(all.get())) {
    Bundle each(ures_getNextResource(all.get(), nullptr, &code), ures_close);
    std::int32_t size = 0;
    const auto* text = ures_getStringByKey(each.get(), "replacement", &size, &code);
    std::string present;
    icu::UnicodeString(text, size).toUTF8String(present);
    std::replace(present.begin(), present.end(), '_', '-');
    visit(ures_getKey(each.get()), present);
    ++visited;
  }
  return visited;
}

// Of the tags that a comment may have: a language, and perhaps a script and a region.
bool is_tag(const std::string& text) {
  static const std::regex tag("[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?");
  return std::regex_match(text, tag);
}

TEST(PresentTag, IsOneForAllNamesOfALanguage) {
  for (const auto& [old, present] :
       std::initializer_list<std::pair<std::string, std::string>>{{"iw", "he"},
                                                                  {"in", "id"},
                                                                  {"ji", "yi"},
                                                                  {"mo", "ro"},
                                                                  {"eng", "en"},
                                                                  {"deu", "de"},
                                                                  {"ger", "de"},
                                                                  {"fre", "fr"},
                                                                  {"fra", "fr"},
                                                                  {"en-UK", "en-GB"},
                                                                  {"iw-IL", "he-IL"},
                                                                  {"sh", "sr-Latn"},
                                                                  {"cmn", "zh"},
                                                                  {"und", "und"},
                                                                  {"en", "en"},
                                                                  {"pt-BR", "pt-BR"},
                                                                  {"zh-Hant-TW", "zh-Hant-TW"},
                                                                  {"es-419", "es-419"},
                                                                  {"mas-Latn-419", "mas-Latn-419"},
                                                                  {"tlh", "tlh"},
                                                                  {"qaa", "qaa"}})
    EXPECT_EQ(present_tag(old), present) << old;
}

TEST(PresentTag, IsThatOfEachAliasOfALanguage) {
  auto visited = visit_aliases("language", [](std::string old, const std::string& present) {
    std::replace(old.begin(), old.end(), '_', '-');
    if (!is_tag(old) || !is_tag(present)) return;
    EXPECT_EQ(present_tag(old), present_tag(present)) << old << " is " << present;
    EXPECT_EQ(present_tag(present_tag(old)), present_tag(old)) << old;
    EXPECT_NE(present_tag(old), old);
  });
  EXPECT_GT(visited, 300u);
}

TEST(PresentTag, IsThatOfEachAliasOfARegionAndAScript) {
  auto visited = visit_aliases("territory", [](const std::string& old, const std::string& present) {
    auto tag = "fr-" + old, now = present_tag(tag);
    EXPECT_EQ(present_tag(now), now);
    EXPECT_NE(now, tag) << old;
    if (present.find(' ') == std::string::npos) {
      EXPECT_EQ(now, "fr-" + present);
    }
  });
  EXPECT_GT(visited, 100u);
  visit_aliases("script", [](const std::string& old, const std::string& present) {
    EXPECT_EQ(present_tag("fr-" + old), "fr-" + present);
  });
}

TEST(KnownTag, HasALanguageAScriptAndARegionOfCldr) {
  for (const char* known : {"en", "de-CH", "und", "zh-Hant", "zh-Hans-SG", "sr-Cyrl-RS", "es-419",
                            "en-001", "fil", "yue", "gsw-CH", "nds", "tlh", "mul", "zxx"})
    EXPECT_TRUE(is_known_tag(known)) << known;
  for (const char* unknown : {"qq", "xyz", "qaa", "en-Abcd", "en-Qaaa", "en-QQ", "en-999",
                              "qq-Latn", "xyz-DE", "en-Abcd-US"})
    EXPECT_FALSE(is_known_tag(unknown)) << unknown;
}

// All that ICU lists, so that none of CLDR's own tags is refused. Of its list of ISO 639, CLDR has
// no name for `mis`, which stands for languages without a code.
TEST(KnownTag, HoldsForAllThatIcuHas) {
  std::int32_t count = 0;
  const auto* locales = icu::Locale::getAvailableLocales(count);
  EXPECT_GT(count, 500);
  for (const auto* each = locales; each != locales + count; ++each) {
    std::string tag = each->getLanguage();
    if (*each->getScript()) tag += std::string("-") + each->getScript();
    if (*each->getCountry()) tag += std::string("-") + each->getCountry();
    EXPECT_TRUE(is_known_tag(present_tag(tag))) << tag;
  }
  for (const char* const* each = icu::Locale::getISOLanguages(); *each; ++each)
    EXPECT_EQ(is_known_tag(present_tag(*each)), std::string_view(*each) != "mis") << *each;
  for (const char* const* each = icu::Locale::getISOCountries(); *each; ++each)
    EXPECT_TRUE(is_known_tag(std::string("en-") + *each)) << *each;
}

}  // namespace
}  // namespace quire
