// What is said of products, against the plain vector.
#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "listing/bitmap/indexed.h"
#include "listing/model.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire {
namespace {

class StatisticsOf : public testing::Test {
 protected:
  StatisticsOf()
      : store_(embedded::LmdbStore::open(directory_.path(), Access::write).value()),
        comments_(*store_, bitmap::listings(), Seal({Seal::Key{1}})) {}

  void insert(const Comment& comment) {
    ASSERT_TRUE(wait(store_->insert(comment, {})));
    model_.insert(comment);
  }
  Statistics statistics(std::vector<std::string> languages = {}, std::string product = "42") {
    Query query{.product = std::move(product), .languages = std::move(languages)};
    return std::move(wait(comments_.statistics(std::move(query)))).value();
  }
  std::vector<std::string> leaders(Leaders by, std::string language = "", std::size_t limit = 10) {
    std::vector<std::string> names;
    auto found = wait(comments_.leaderboard(by, language, limit));
    for (const auto& leader : found.value().leaders) names.push_back(leader.product);
    return names;
  }
  // The newest of what the model selects.
  std::optional<Ulid> newest(const std::vector<std::string>& languages, std::vector<int> ratings) {
    auto ids = model_.select({.product = "42", .languages = languages, .ratings = ratings});
    return ids.empty() ? std::nullopt : std::optional(ids.front());
  }
  static std::optional<Ulid> id_of(std::string_view document) {
    if (document.empty()) return {};
    return decode_document(document).value().id;
  }

  TemporaryDirectory directory_;
  PlainModel model_;
  std::unique_ptr<embedded::LmdbStore> store_;
  Comments comments_;
};

TEST_F(StatisticsOf, AProductWithoutCommentsAreZeros) {
  auto found = statistics();
  EXPECT_EQ(found.ratings, RatingCounts{});
  EXPECT_TRUE(found.languages.empty() && found.latest.empty() && found.latest_critical.empty());
  EXPECT_TRUE(leaders(Leaders::five_star).empty());
}

TEST_F(StatisticsOf, AProductEqualTheModelsAfterRandomWrites) {
  std::mt19937 random(7);
  const std::vector<std::string> languages = {"en", "de", "ar"};
  for (std::uint64_t i = 0; i < rounds(300u); ++i) {
    insert(comment_at(1000 + random() % 50, i, languages[random() % 3],
                      static_cast<int>(random() % 5) + 1));
    if (i % 3 == 0) {
      Comment& some = model_.at(random() % model_.size());
      some.rating = static_cast<int>(random() % 5) + 1;
      ASSERT_TRUE(wait(comments_.patch(some.id, {.rating = some.rating})));
    }
    if (i % 4 == 0) {
      auto id = model_.at(random() % model_.size()).id;
      ASSERT_TRUE(wait(comments_.remove(id)));
      model_.remove(id);
    }
    for (const auto& wanted : std::vector<std::vector<std::string>>{{}, {"en"}, {"de", "ar"}}) {
      auto found = statistics(wanted);
      for (int rating = 1; rating <= 5; ++rating) {
        Query query{.product = "42", .languages = wanted, .ratings = {rating}};
        EXPECT_EQ(found.ratings[static_cast<std::size_t>(rating - 1)], model_.select(query).size());
      }
      EXPECT_EQ(id_of(found.latest), newest(wanted, {}));
      EXPECT_EQ(id_of(found.latest_positive), newest(wanted, {4, 5}));
      EXPECT_EQ(id_of(found.latest_critical), newest(wanted, {1, 2}));
    }
  }
  EXPECT_EQ(embedded::verify(store_->databases()).differences, 0u);
}

TEST_F(StatisticsOf, LeadersAreTheProductsWithMostFivesThenByName) {
  std::uint64_t number = 0;
  auto add = [&](const std::string& product, int rating, int times, std::string language = "en") {
    for (int i = 0; i < times; ++i) insert(comment_at(1000, ++number, language, rating, product));
  };
  add("b", 5, 3);
  add("a", 5, 3);
  add("c", 5, 4);
  add("c", 1, 4);
  add("d", 4, 9);
  add("e", 5, 2, "de");
  EXPECT_EQ(leaders(Leaders::five_star), (std::vector<std::string>{"c", "a", "b", "e"}));
  EXPECT_EQ(leaders(Leaders::five_star, "", 2), (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(leaders(Leaders::five_star, "de"), (std::vector<std::string>{"e"}));
  EXPECT_TRUE(leaders(Leaders::five_star, "fr").empty());
  // Three fives weigh less than nine fours; a mixed product comes last.
  EXPECT_EQ(leaders(Leaders::average), (std::vector<std::string>{"d", "a", "b", "e", "c"}));
  auto id = model_.select({.product = "c", .ratings = {5}}).front();
  ASSERT_TRUE(wait(comments_.remove(id)));
  ASSERT_TRUE(wait(comments_.remove(model_.select({.product = "c", .ratings = {5}}).back())));
  EXPECT_EQ(leaders(Leaders::five_star), (std::vector<std::string>{"a", "b", "c", "e"}));
  EXPECT_EQ(wait(comments_.leaderboard(Leaders::average, "English", 1)).error().code,
            ErrorCode::invalid_parameter);
  EXPECT_EQ(embedded::verify(store_->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire
