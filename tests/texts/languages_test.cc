// The languages that are built in: each has every text, in the forms that its rules need; no text
// is missing or idle. And which language a visitor gets.
#include "texts/languages.h"

#include <gtest/gtest.h>
#include <unicode/datefmt.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>
#include <unicode/timezone.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "model/made_facets.h"

namespace quire::texts {
namespace {

const Languages& built_in() {
  return Languages::built_in();
}

std::string whole_name(const std::string& name) {
  return name.substr(0, name.find('.'));
}

std::set<std::string> whole_names(const Texts& texts) {
  std::set<std::string> out;
  for (const auto& name : texts.names()) out.insert(whole_name(name));
  return out;
}

// The names in a file of texts itself, without what English lends.
std::set<std::string> names_in(const std::string& tag) {
  auto path = std::filesystem::path(QUIRE_SOURCE) / "web/texts" / (tag + ".toml");
  std::ifstream file(path);
  std::set<std::string> out;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with('#') && line.find(" = ") != line.npos)
      out.insert(line.substr(0, line.find(" = ")));
  return out;
}

TEST(BuiltInLanguages, AreTen) {
  std::string tags;
  for (const auto& [tag, texts] : built_in().all()) tags += tag + " ";
  EXPECT_EQ(tags, "ar de en es fr it ja nl pl pt-BR ");
  EXPECT_TRUE(built_in().find("ar")->right_to_left());
  EXPECT_FALSE(built_in().find("ja")->right_to_left());
}

TEST(BuiltInLanguages, LackNoText) {
  auto wanted = whole_names(*built_in().find("en"));
  for (const auto& [tag, texts] : built_in().all()) EXPECT_EQ(names_in(tag), wanted) << tag;
}

TEST(BuiltInLanguages, HaveEveryPluralFormOfTheirRules) {
  for (const auto& [tag, texts] : built_in().all()) {
    for (const auto& name : texts->names()) {
      if (!name.ends_with(".other")) continue;
      std::istringstream forms(texts->forms().plurals());
      for (std::string form; forms >> form;)
        EXPECT_TRUE(texts->find(whole_name(name) + "." + form))
            << tag << " " << name << " " << form;
    }
  }
}

TEST(BuiltInLanguages, KeepEveryPlaceForAValue) {
  const std::regex place("\\{[A-Z_]+\\}");
  auto places = [&](const std::string& text) {
    return std::set<std::string>(std::sregex_token_iterator(text.begin(), text.end(), place), {});
  };
  auto english = built_in().find("en");
  for (const auto& [tag, texts] : built_in().all()) {
    for (const auto& name : english->names()) {
      bool plural = name.find('.') != name.npos;
      const auto* text = texts->find(name);
      if (text && (!plural || name.ends_with(".other"))) {
        EXPECT_EQ(places(*text), places(*english->find(name))) << tag << " " << name;
      }
    }
  }
}

// Visitors know the word "review"; "comment" is of the interface and the docs.
TEST(BuiltInLanguages, SayReviewInEnglish) {
  auto english = built_in().find("en");
  for (const auto& name : english->names())
    EXPECT_EQ(english->find(name)->find("omment"), std::string::npos) << name;
}

TEST(BuiltInLanguages, NameEachMadeFacet) {
  for (const auto& made : made_facets)
    EXPECT_TRUE(built_in().find("en")->find("facet_" + std::string(made.name))) << made.name;
}

// `path`: from the root of the sources, or absolute.
std::string text_of(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(std::filesystem::path(QUIRE_SOURCE) / path).rdbuf();
  return bytes.str();
}

std::string all_text_under(const std::string& folder, const std::set<std::string>& endings) {
  std::string out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(QUIRE_SOURCE) / folder)) {
    if (!endings.contains(entry.path().extension().string())) continue;
    out += text_of(entry.path());
  }
  return out;
}

// The names that Html::error() makes of the problems that a visitor's browser may receive. Programs
// alone receive the others.
TEST(Texts, TellAVisitorOfEachProblem) {
  const std::set<std::string> others = {"already-written",
                                        "idempotency-conflict",
                                        "method-not-allowed",
                                        "payload-too-large",
                                        "precondition-failed",
                                        "unsupported-media-type",
                                        "unsupported-encoding",
                                        "too-late",
                                        "moved"};
  std::set<std::string> wanted, known;
  auto problems = text_of("web/problems.json");
  const std::regex slug_member(R"re("slug": "([a-z-]+)")re");
  for (std::sregex_iterator at(problems.begin(), problems.end(), slug_member), end; at != end;
       ++at) {
    std::string slug = (*at)[1];
    if (others.contains(slug)) continue;
    std::replace(slug.begin(), slug.end(), '-', '_');
    wanted.insert({"problem_" + slug, "advice_" + slug});
  }
  for (const auto& name : whole_names(*built_in().find("en")))
    if (name.starts_with("problem_") || name.starts_with("advice_")) known.insert(name);
  EXPECT_EQ(known, wanted);
}

// A template with a text that is missing is not read: see Templates.
TEST(Texts, AreAllUsed) {
  auto templates = all_text_under("web", {".tpl"});
  auto code = all_text_under("src/http", {".cc"}) + all_text_under("src/texts", {".cc"});
  for (const auto& name : whole_names(*built_in().find("en"))) {
    bool made = name.starts_with("facet_") || name.starts_with("problem_") ||
                name.starts_with("advice_") || name.starts_with("reason_");  // from other names
    bool used = templates.find("{{:" + name + "}}") != templates.npos ||
                code.find("\"" + name + "\"") != code.npos;
    EXPECT_TRUE(made || used) << name;
  }
}

TEST(Texts, WhoseNamesTheCodeHasAreThere) {
  auto code = all_text_under("src/http", {".cc"});
  auto known = whole_names(*built_in().find("en"));
  const std::regex use(
      "(?:texts|texts\\(\\)|look\\.texts\\(\\))"
      "(?:->|\\.)?(?:\\[|with\\(|counted\\()\"([a-z_]+)\"");
  std::size_t found = 0;
  for (std::sregex_iterator at(code.begin(), code.end(), use), end; at != end; ++at, ++found)
    EXPECT_TRUE(known.contains((*at)[1])) << (*at)[1];
  EXPECT_GT(found, 20u);
}

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

TEST(Forms, AreThoseOfIcu) {
  for (const auto& [tag, texts] : built_in().all()) {
    UErrorCode code = U_ZERO_ERROR;
    auto locale = icu::Locale::forLanguageTag(tag, code);
    auto numbers = icu::number::NumberFormatter::withLocale(locale);
    for (std::int64_t value :
         {0L, 7L, 93L, 999L, 1'000L, 1'204L, 9'999L, 10'000L, 123'456L, 1'000'000L, 60'000'000L})
      EXPECT_EQ(texts->number(static_cast<std::uint64_t>(value)),
                utf8(numbers.formatInt(value, code).toString(code)))
          << tag;
    for (double value : {0.0, 1.0, 4.3, 4.9, 5.0}) {
      auto one = numbers.precision(icu::number::Precision::fixedFraction(1));
      EXPECT_EQ(texts->forms().decimal(value), utf8(one.formatDouble(value, code).toString(code)))
          << tag;
    }
    std::unique_ptr<icu::DateFormat> days(
        icu::DateFormat::createDateInstance(icu::DateFormat::kLong, locale));
    days->setTimeZone(*icu::TimeZone::getGMT());
    for (std::uint64_t day = 10'000; day < 20'500; day += 37) {
      icu::UnicodeString text;
      days->format(static_cast<double>(day) * 86'400'000, text);
      ASSERT_EQ(texts->day(day * 86'400'000), utf8(text)) << tag;
    }
  }
}

TEST(Texts, CountAsTheirLanguageDoes) {
  auto counted = [](const char* tag, std::uint64_t number) {
    return built_in().find(tag)->counted("comments", number);
  };
  EXPECT_EQ(counted("en", 0), "No reviews");
  EXPECT_EQ(counted("en", 1), "1 review");
  EXPECT_EQ(counted("en", 2331), "2,331 reviews");
  EXPECT_EQ(counted("de", 2331), "2.331 Bewertungen");
  EXPECT_EQ(counted("pl", 3), "3 opinie");
  EXPECT_EQ(counted("pl", 5), "5 opinii");
  EXPECT_EQ(counted("ja", 1), "レビュー1件");
  EXPECT_EQ(counted("ar", 2), "تقييمان");
  EXPECT_EQ(counted("ar", 3), "٣ تقييمات");
}

TEST(Texts, NameLanguagesAndCountries) {
  auto german = built_in().find("de");
  EXPECT_EQ(german->language("pt-BR"), "Portugiesisch (Brasilien)");
  EXPECT_EQ(german->language("und"), "Nicht angegeben");
  EXPECT_EQ(german->country("DE"), "Deutschland");
  EXPECT_EQ(german->country("somewhere"), "somewhere");
  EXPECT_EQ(built_in().find("en")->language("qqq"), "qqq");
}

TEST(Languages, AreChosenByWeight) {
  auto choose = [](std::string_view header) {
    return std::string(built_in().choose(header, "en"));
  };
  EXPECT_EQ(choose(""), "en");
  EXPECT_EQ(choose("de"), "de");
  EXPECT_EQ(choose("de-AT, en;q=0.5"), "de");
  EXPECT_EQ(choose("en;q=0.5, de-AT;q=0.8"), "de");
  EXPECT_EQ(choose("pt"), "pt-BR");
  EXPECT_EQ(choose("pt-PT"), "pt-BR");
  EXPECT_EQ(choose("PT_br"), "pt-BR");
  EXPECT_EQ(choose("sv, fi;q=0.9"), "en");
  EXPECT_EQ(choose("sv, *;q=0.1"), "en");
  EXPECT_EQ(choose("de;q=0, fr;q=0.1"), "fr");
  EXPECT_EQ(choose(",,;q=1,de"), "de");
}

TEST(Languages, OfAShopOverrideTextsOrAreAdded) {
  auto all = Languages::with({{"texts/de.toml", "comments_on = \"Stimmen zu {PRODUCT}\"\n"},
                              {"texts/sv.toml",
                               "products = \"Produkter\"\n"
                               "comments = { one = \"{COUNT} omdöme\", "
                               "other = \"{COUNT} omdömen\" }\n"
                               "facet_colour = \"Färg\"\n"}})
                 .value();
  EXPECT_EQ((*all.find("de"))["comments_on"], "Stimmen zu {PRODUCT}");
  EXPECT_EQ((*all.find("de"))["products"], "Produkte");
  EXPECT_EQ(all.find("sv")->counted("comments", 2), "2 omdömen");
  EXPECT_EQ(all.find("sv")->counted("comments", 0), "0 omdömen") << "English has a form for 0";
  EXPECT_EQ((*all.find("sv"))["pages"], "Pages");
  EXPECT_EQ(*all.find("sv")->find("facet_colour"), "Färg");
  EXPECT_EQ(all.choose("sv-SE", "en"), "sv");
}

TEST(Languages, OfAShopTellTheirFaults) {
  auto fault = [](const std::string& path, const std::string& text) {
    auto all = Languages::with({{path, text}});
    return all ? std::string() : all.error().message;
  };
  EXPECT_EQ(fault("de.toml", "a = 1\n\nprodcts = \"x\"\n"),
            "de.toml:1: a is a text, or a table of plural forms.\n"
            "de.toml:3: No page has a text \"prodcts\".");
  EXPECT_EQ(fault("de.toml", "page_of = \"{NUMER}\"\n"),
            "de.toml:1: page_of has no place {NUMER} for a value.");
  EXPECT_EQ(fault("de.toml", "comments = { few = \"x\" }\n"),
            "de.toml:1: comments takes texts for: one other, and none for 0.");
  EXPECT_EQ(fault("words.toml", ""),
            "words.toml: The file's name is no language. Name it as in de.toml or pt-BR.toml.");
}

}  // namespace
}  // namespace quire::texts
