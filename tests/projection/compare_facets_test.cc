// A page index with facets beside one that is right: whatever differs is found and repaired.
#include "projection/compare.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/rounds.h"
#include "loop/loop.h"
#include "page_index/lmdb/index.h"
#include "temporary_directory.h"

namespace quire {
namespace {

using change::Change;
using change::IndexedValues;
using page_index::LmdbIndex;
using projection::compare;
using projection::Repairing;

const Schema facets({{2, {{"verified", FacetType::flag}}},
                     {3, {{"size", FacetType::choice}}},
                     {4, {{"tags", FacetType::tags}}},
                     {5, {{"votes", FacetType::number}}}});

class ComparingFacets : public testing::Test {
 protected:
  ComparingFacets() {
    begin(*truth_, facets);
    begin(*index_, facets);
  }
  static void begin(PageIndex& index, const Schema& schema) {
    change::State state{change::Phase::following, "e", "arn", {}, schema};
    ASSERT_TRUE(wait(index.reset(state)));
  }
  static Ulid id_number(std::uint64_t number) { return Ulid::make(1'700'000'000'000 + number, {}); }
  IndexedValues random_values() {
    Attributes attributes;
    if (random_() % 2) attributes["verified"] = random_() % 2 == 0;
    if (random_() % 2) attributes["size"] = random_() % 2 ? "S" : "M";
    if (random_() % 2) attributes["tags"] = std::vector<std::string>{"fit", "gift"};
    if (random_() % 2) attributes["votes"] = static_cast<std::int64_t>(random_() % 5000);
    return {cell(random_() % 2 ? "en" : "pt-BR", static_cast<int>(random_() % 5) + 1), attributes};
  }
  static void put(PageIndex& index, std::vector<Change> changes) {
    ASSERT_TRUE(wait(index.put(std::move(changes))));
  }
  // So many comments in both.
  void fill(std::uint64_t count) {
    std::vector<Change> changes;
    for (std::uint64_t i = 0; i < count; ++i)
      changes.push_back({"42", id_number(i), {}, random_values()});
    put(*truth_, changes);
    put(*index_, changes);
  }
  std::vector<std::string> sentences() { return wait(compare(*truth_, *index_, "42")).value(); }
  void repair() {
    EXPECT_TRUE(wait(compare(*truth_, *index_, "42", Repairing::yes)));
    EXPECT_TRUE(sentences().empty());
  }

  TemporaryDirectory one_, other_;
  std::unique_ptr<LmdbIndex> truth_ = LmdbIndex::open(one_.path(), Access::write).value();
  std::unique_ptr<LmdbIndex> index_ = LmdbIndex::open(other_.path(), Access::write).value();
  std::mt19937_64 random_{7};
};

TEST_F(ComparingFacets, EqualIndexesHaveNoDifferences) {
  EXPECT_TRUE(sentences().empty());
  fill(2500);
  EXPECT_TRUE(sentences().empty());
}

TEST_F(ComparingFacets, MissingExtraAndOtherCommentsAreCountedAndRepaired) {
  fill(2500);
  IndexedValues other{cell("en", 1), {{"votes", std::int64_t{-7}}}};
  put(*index_, {{"42", id_number(0)}, {"42", id_number(1500)}});
  put(*index_, {{"42", id_number(9'000), {}, other}});
  put(*index_, {{"42", id_number(3), {}, other},
                {"42", id_number(4), {}, other},
                {"42", id_number(2499), {}, other}});
  EXPECT_EQ(sentences(), std::vector<std::string>{
                             "PRODUCT#42: 2 comments are missing, 1 do not belong there, 3 have "
                             "other values."});
  repair();
}

// More than are put at once.
TEST_F(ComparingFacets, ManyDifferencesAreRepairedInSlices) {
  fill(100);
  std::vector<Change> changes;
  for (std::uint64_t i = 50; i < 1700; ++i)
    changes.push_back({"42", id_number(i), {}, random_values()});
  put(*truth_, changes);
  repair();
}

TEST_F(ComparingFacets, AProductThatOneLacksIsFound) {
  fill(30);
  put(*index_, {{"7", id_number(1), {}, random_values()}});
  auto extra = wait(compare(*truth_, *index_, "7", Repairing::yes)).value();
  EXPECT_EQ(extra.size(), 1u);
  EXPECT_EQ(wait(index_->products("", 10)).value(), std::vector<std::string>{"42"});
  begin(*index_, facets);
  EXPECT_EQ(sentences().size(), 1u);
  repair();
}

TEST_F(ComparingFacets, RandomDifferencesAreRepaired) {
  fill(1000);
  for (int round = 0; round < rounds(20); ++round) {
    std::vector<Change> changes;
    for (auto count = random_() % 30; count > 0; --count) {
      Change change{"42", id_number(random_() % 1100)};
      if (random_() % 2) change.to = random_values();
      changes.push_back(change);
    }
    put(random_() % 2 ? *index_ : *truth_, changes);
    repair();
  }
}

// An index that was built before a facet was declared is not wrong: it lacks the facet.
TEST_F(ComparingFacets, OnlyFacetsThatBothHoldAreCompared) {
  begin(*index_, Schema({{2, {{"verified", FacetType::flag}}}, {9, {{"old", FacetType::flag}}}}));
  fill(200);
  EXPECT_TRUE(sentences().empty());
  put(*index_, {{"42", id_number(1), {}, IndexedValues(cell("en", 1), {{"verified", false}})},
                {"42", id_number(2), {}, IndexedValues(cell("en", 1), {{"verified", true}})}});
  EXPECT_EQ(sentences().size(), 1u);
  repair();
}

// A repair knows no texts: it leaves the words of a comment, and gives a missing one none.
TEST_F(ComparingFacets, WordsThatDifferAreFoundAndNotRepaired) {
  auto with_text = [](std::uint64_t number, std::string text) {
    Comment comment{
        .id = id_number(number), .language = "en", .rating = 5, .text = std::move(text)};
    return Change{"42", comment.id, {}, IndexedValues(comment)};
  };
  std::vector<Change> all;
  for (std::uint64_t i = 0; i < 1500; ++i)
    all.push_back(with_text(i, "word" + std::to_string(i % 40) + " fits"));
  ASSERT_TRUE(wait(index_->want_words()));
  begin(*index_, facets);
  put(*index_, all);
  put(*truth_, all);
  EXPECT_TRUE(sentences().empty()) << "one of both has no words";
  ASSERT_TRUE(wait(truth_->want_words()));
  begin(*truth_, facets);
  for (std::size_t end = all.size(); end > 0; end -= 100)  // so that they have other slots
    put(*truth_, std::vector<Change>(&all[end - 100], &all[end - 100] + 100));
  EXPECT_TRUE(sentences().empty());
  put(*index_, {with_text(7, "another"), with_text(1400, "another")});
  auto reworded = [](int comments) {
    return "PRODUCT#42: " + std::to_string(comments) +
           " comments have other words than their texts. Run quire backfill --again.";
  };
  EXPECT_EQ(sentences(), std::vector<std::string>{reworded(2)});
  put(*index_, {{"42", id_number(3), {}, cell("en", 1)}, {"42", id_number(20)}});
  EXPECT_EQ(wait(compare(*truth_, *index_, "42", Repairing::yes))->size(), 2u);
  EXPECT_EQ(sentences(), std::vector<std::string>{reworded(3)});
  put(*index_, {with_text(7, "word7 fits"), with_text(1400, "word0 fits")});
  put(*index_, {with_text(20, "word20 fits")});
  EXPECT_TRUE(sentences().empty());
}

}  // namespace
}  // namespace quire
