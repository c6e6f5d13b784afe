// The library as a stranger uses it: only the public headers.
#include "quire/quire.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "temporary_directory.h"

namespace {

class Library : public testing::Test {
 protected:
  std::string store() const { return "lmdb:" + directory_.path() + "/store"; }

  quire::TemporaryDirectory directory_;
};

TEST_F(Library, PostsPagesChangesAndRemoves) {
  auto quire = quire::Quire::open(store()).value();
  auto first =
      quire.post({.product = "42", .language = "en", .rating = 5, .title = "Fits"}).value();
  auto second =
      quire.post({.product = "42", .rating = 1, .text = "broke", .created_ms = 1000}).value();
  EXPECT_EQ(second.created_ms(), 1000u);
  EXPECT_EQ(second.language, "und");

  auto page = quire.page({.product = "42", .limit = 1, .explain = true}).value();
  ASSERT_EQ(page.comments.size(), 1u);
  EXPECT_EQ(page.comments[0], first);
  EXPECT_EQ(page.total, 2u);
  EXPECT_FALSE(page.plan.empty());
  auto next = quire.page({.product = "42", .after = page.next}).value();
  ASSERT_EQ(next.comments.size(), 1u);
  EXPECT_EQ(next.comments[0], second);
  EXPECT_FALSE(next.next);
  EXPECT_TRUE(next.previous);

  EXPECT_EQ(quire.patch(second.id, {.rating = 2}).value().rating, 2);
  EXPECT_EQ(quire.page({.product = "42", .ratings = {2}}).value().total, 1u);
  EXPECT_EQ(quire.get(second.id).value().text, "broke");
  EXPECT_TRUE(quire.remove(second.id));
  EXPECT_EQ(quire.get(second.id).error().code, quire::ErrorCode::not_found);
}

TEST_F(Library, ErrorsSayWhatToDo) {
  EXPECT_EQ(quire::Quire::open("mysql:x").error().code, quire::ErrorCode::invalid_parameter);
  EXPECT_EQ(quire::Quire::open_to_read(store()).error().code, quire::ErrorCode::unavailable);
  auto quire = quire::Quire::open(store()).value();
  auto refused = quire.post({.product = "42", .language = "English", .rating = 9});
  ASSERT_EQ(refused.error().code, quire::ErrorCode::invalid_comment);
  EXPECT_EQ(refused.error().fields.size(), 2u);
  EXPECT_EQ(quire.page({.product = "42", .ratings = {6}}).error().parameter, "rating");
}

// A program may do everything, and what it does can be read later, as that of all others.
TEST_F(Library, RecordsChangesWhereAnAuditLogIsNamed) {
  auto log = directory_.path() + "/audit.jsonl";
  auto quire = quire::Quire::open(store(), {}, log).value();
  auto comment = quire.post({.product = "42", .rating = 5}).value();
  auto held = quire.post({.product = "42",
                          .rating = 1,
                          .moderation = {.status = quire::CommentStatus::pending},
                          .decides = true});
  ASSERT_TRUE(held) << held.error().message;
  ASSERT_TRUE(quire.patch(comment.id, {.rating = 4}));
  ASSERT_TRUE(quire.remove(comment.id));
  std::ifstream lines(log);
  std::vector<std::string> actions;
  for (std::string line; std::getline(lines, line);) {
    auto at = line.find("\"action\":\"") + 10;
    actions.push_back(line.substr(at, line.find('"', at) - at));
    EXPECT_NE(line.find("\"token\":\"program:"), line.npos) << line;
  }
  EXPECT_EQ(actions, (std::vector<std::string>{"post", "edit", "remove"}));
}

TEST_F(Library, ChangesNothingThatCannotBeRecorded) {
  auto refused = quire::Quire::open(store(), {}, directory_.path());
  EXPECT_EQ(refused.error().code, quire::ErrorCode::unavailable);
}

TEST_F(Library, ARepeatedKeyPostsOnce) {
  auto quire = quire::Quire::open(store()).value();
  auto first = quire.post({.product = "42", .rating = 5}, "order-17").value();
  EXPECT_EQ(quire.post({.product = "42", .rating = 5}, "order-17").value(), first);
  EXPECT_EQ(quire.post({.product = "42", .rating = 4}, "order-17").error().code,
            quire::ErrorCode::idempotency_conflict);
  EXPECT_EQ(quire.page({.product = "42"}).value().total, 1u);
}

TEST_F(Library, FiltersCountsAndSortsByFacets) {
  auto shop = quire::Quire::open(store(), "store").value();
  ASSERT_TRUE(shop.declare({"size", quire::FacetType::choice}));
  ASSERT_TRUE(shop.declare({"votes", quire::FacetType::number}));
  EXPECT_EQ(shop.declare({"rating", quire::FacetType::number}).error().code,
            quire::ErrorCode::invalid_parameter);
  ASSERT_EQ(shop.facets().value().size(), 4u);
  EXPECT_EQ(shop.facets().value()[2].facet.name, "size");
  auto post = [&](const std::string& size, std::int64_t votes, int rating) {
    quire::Attributes attributes{{"size", size}, {"votes", votes}};
    return shop.post({.product = "42", .rating = rating, .attributes = attributes}).value();
  };
  post("L", 3, 5);
  auto best = post("XL", 9, 1);
  post("L", 4, 4);
  auto page = shop.page({.product = "42",
                         .limit = 1,
                         .facets = {{.facet = "votes", .min = 4}},
                         .sort = quire::Sort::highest,
                         .sort_facet = "votes",
                         .skip = 0,
                         .counts = true})
                  .value();
  EXPECT_EQ(page.comments.at(0), best);
  EXPECT_EQ(page.total, 2u);
  using Values = std::vector<std::pair<std::string, std::uint64_t>>;
  EXPECT_EQ(page.facets.at(2).values, (Values{{"L", 1}, {"XL", 1}}));
  EXPECT_EQ(page.facets.at(3).min, 3) << "under the other facets alone";
  quire::Query large{.product = "42", .facets = {{.facet = "size", .any_of = {"L"}}}};
  EXPECT_EQ(shop.statistics(large).value().ratings, (quire::RatingCounts{0, 0, 0, 1, 1}));
  auto ratings = shop.ratings({"nobody", "42"}).value();
  EXPECT_EQ(ratings.at(0).ratings, quire::RatingCounts{});
  EXPECT_EQ(ratings.at(1).ratings, (quire::RatingCounts{1, 0, 0, 1, 1}));
  EXPECT_EQ(shop.ratings({}).error().code, quire::ErrorCode::invalid_parameter);
  ASSERT_TRUE(shop.drop("size"));
  EXPECT_EQ(shop.page(large).error().code, quire::ErrorCode::invalid_parameter);
  EXPECT_EQ(shop.drop("size").error().code, quire::ErrorCode::not_found);
}

TEST_F(Library, NumbersPagesUnlessToldNotTo) {
  {
    auto quire = quire::Quire::open(store(), "store").value();
    auto id = quire.post({.product = "42", .rating = 5, .created_ms = 1000}).value().id;
    ASSERT_TRUE(quire.post({.product = "42", .rating = 4, .created_ms = 2000}));
    EXPECT_EQ(quire.page({.product = "42", .limit = 1, .page = 2}).value().number, 2u);
    EXPECT_EQ(quire.page_of(id, {.limit = 1}).value(), 2u);
    EXPECT_FALSE(quire.statistics({.product = "42"}).value().as_of_ms) << "they are exact";
  }
  auto quire = quire::Quire::open(store(), "none").value();
  auto page = quire.page({.product = "42", .limit = 1}).value();
  EXPECT_EQ(page.number, 0u);
  EXPECT_EQ(page.count, 0u);
  EXPECT_EQ(page.numbers_missing, "");
  auto next = quire.page({.product = "42", .limit = 1, .after = page.next}).value();
  EXPECT_EQ(next.comments.size(), 1u);
  EXPECT_FALSE(next.next);
  for (const auto& error : {quire.page({.product = "42", .limit = 1, .page = 2}).error(),
                            quire.page_of(next.comments[0].id).error()}) {
    EXPECT_EQ(error.code, quire::ErrorCode::unavailable);
  }
}

TEST_F(Library, APageIndexThatIsNoneIsRefused) {
  const std::string table = "dynamodb:t?region=x&endpoint=http://127.0.0.1:1";
  struct Case {
    std::string store, pages;
  };
  const Case cases[] = {{store(), "redis://127.0.0.1"},
                        {store(), "lmdb:" + store()},
                        {store(), "sqlite:x"},
                        {store(), "nonsense://u:secret@host"},
                        {table, "store"},
                        {table, "nonsense://u:secret@host"},
                        {table, "lmdb:"},
                        {table, "sqlite:"},
                        {table, "redis://u:secret@"},
                        {table, "mysql://u:secret@host"}};
  for (const auto& [store, pages] : cases) {
    auto error = quire::Quire::open(store, pages).error();
    EXPECT_EQ(error.code, quire::ErrorCode::invalid_parameter) << pages;
    EXPECT_FALSE(error.message.empty()) << pages;
    EXPECT_EQ(error.message.find("secret"), std::string::npos) << error.message;
  }
  EXPECT_FALSE(quire::Quire::open_to_read(store())) << "nothing was made";
}

}  // namespace
