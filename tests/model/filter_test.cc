// Filters: normalised queries, and their fingerprints in cursors.
#include "model/filter.h"

#include <gtest/gtest.h>

#include <set>

namespace quire {
namespace {

Filter filter(std::vector<std::string> languages, std::vector<int> ratings,
              std::string product = "42") {
  return make_filter({.product = product, .languages = languages, .ratings = ratings}).value();
}

using Values = std::vector<FacetValue>;

TEST(MakeFilter, SortsValuesAndKeepsEachOnce) {
  auto made = filter({"fr", "de", "fr"}, {5, 1, 5, 1});
  EXPECT_EQ(made.product, "42");
  EXPECT_EQ(made.values[language_facet], (Values{cell("de", 1)[0], cell("fr", 1)[0]}));
  EXPECT_EQ(made.values[rating_facet], (Values{1, 5}));
}

TEST(MakeFilter, AskingForEveryRatingIsAskingForAny) {
  EXPECT_FALSE(filter({}, {1, 2, 3, 4, 5}).restricts(rating_facet));
  EXPECT_FALSE(filter({}, {5, 4, 3, 2, 1, 1}).restricts(rating_facet));
  EXPECT_TRUE(filter({}, {1, 2, 3, 4}).restricts(rating_facet));
  EXPECT_FALSE(filter({}, {}).restricts(rating_facet));
}

TEST(MakeFilter, ManyLanguagesStayAFilter) {
  EXPECT_TRUE(filter({"aa", "bb", "cc", "dd", "ee", "ff"}, {}).restricts(language_facet));
}

// The parameter an error is about, and its message.
std::pair<std::string, std::string> refusal(Query query) {
  auto made = make_filter(query);
  if (made) return {};
  EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
  return {made.error().parameter, made.error().message};
}

TEST(MakeFilter, NamesTheParameterAtFault) {
  EXPECT_EQ(refusal({.product = ""}).first, "product");
  EXPECT_EQ(refusal({.product = "42", .languages = {"en", "engl"}}).first, "language");
  EXPECT_EQ(refusal({.product = "42", .languages = {""}}).first, "language");
  for (int rating : {0, 6, -1, 15, 50}) {
    EXPECT_EQ(refusal({.product = "42", .ratings = {5, rating}}).first, "rating") << rating;
  }
}

Filter with_words(std::string words) {
  return make_filter({.product = "42", .words = std::move(words)}).value();
}

TEST(MakeFilter, TakesWordsInTheirPlainForm) {
  EXPECT_EQ(with_words("Größe, fits FITS don't").words,
            (std::vector<std::string>{"don", "fits", "grosse", "t"}));
  EXPECT_EQ(with_words("性价比").words, (std::vector<std::string>{"价比", "性价"}));
  EXPECT_TRUE(with_words("").words.empty());
  EXPECT_EQ(refusal({.product = "42", .words = "…"}),
            (std::pair<std::string, std::string>{
                "q", "There is no word to look for: a word has a letter or a digit."}));
}

TEST(MakeFilter, NamesTheRightFormOfAValue) {
  EXPECT_EQ(refusal({.product = "42", .ratings = {7}}).second,
            "rating is a whole number from 1 to 5, and may be repeated.");
}

TEST(Filter, MatchesTheCellsWithAWantedValueInEveryFacet) {
  auto some = filter({"en", "de"}, {1, 5});
  for (auto language : {"en", "de", "fr"}) {
    for (int rating = 1; rating <= 5; ++rating) {
      bool wanted = language != std::string_view("fr") && (rating == 1 || rating == 5);
      EXPECT_EQ(some.matches(cell(language, rating)), wanted) << language << rating;
      EXPECT_TRUE(filter({}, {}).matches(cell(language, rating)));
    }
  }
}

// People keep cursors with these numbers. If they change, the version of the cursor must change.
TEST(Fingerprint, IsThatOfItsSpecification) {
  EXPECT_EQ(fingerprint(filter({}, {})), 0xF5B94BFCu);
  EXPECT_EQ(fingerprint(filter({"en"}, {5})), 0xCF310B21u);
  EXPECT_EQ(fingerprint(filter({"und", "de"}, {4, 1}, "Schuhe/größe#7")), 0x48A471CDu);
}

TEST(Fingerprint, IsThatOfTheNormalisedFilter) {
  EXPECT_EQ(fingerprint(filter({"en", "de"}, {5, 1})),
            fingerprint(filter({"de", "en", "de"}, {1, 5})));
  EXPECT_EQ(fingerprint(filter({}, {1, 2, 3, 4, 5})), fingerprint(filter({}, {})));
}

TEST(Fingerprint, IsThatOfTheWordsWhateverTheirForm) {
  auto of = [](std::string words) { return fingerprint(with_words(std::move(words))); };
  EXPECT_EQ(of("fits well"), 0x6BBB1CC7u) << "people keep cursors with this number";
  EXPECT_EQ(of("Well, FITS"), of("fits well"));
  std::set<std::uint32_t> seen{of("")};
  for (auto words : {"fits", "well", "fits well", "fitswell", "fit swell", "fits well a"})
    EXPECT_TRUE(seen.insert(of(words)).second) << words;
  EXPECT_EQ(seen.count(fingerprint(filter({}, {}))), 1u);
}

TEST(Fingerprint, TellsProductsAndFiltersApart) {
  std::set<std::uint32_t> seen;
  std::size_t made = 0;
  for (std::string product : {"42", "4", "2", "42e", "42en"}) {
    for (std::vector<std::string> languages :
         {std::vector<std::string>{}, {"en"}, {"de"}, {"de", "en"}, {"enm"}}) {
      for (int ratings = 0; ratings < 31; ++ratings) {
        std::vector<int> chosen;
        for (int rating = 1; rating <= 5; ++rating) {
          if (ratings >> (rating - 1) & 1) chosen.push_back(rating);
        }
        EXPECT_TRUE(seen.insert(fingerprint(filter(languages, chosen, product))).second);
        ++made;
      }
    }
  }
  EXPECT_EQ(seen.size(), made);
}

}  // namespace
}  // namespace quire
