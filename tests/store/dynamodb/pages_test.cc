// Pages of a table, while two processes write to it, against a plain vector.
#include <gtest/gtest.h>

#include "base/rounds.h"
#include "listing/lists/maker.h"
#include "service/wander.h"
#include "store/support.h"
#include "store/table_backend.h"

namespace quire {
namespace {

const std::vector<std::string> languages = {"en", "de", "und", "ar"};

// Two stores on one table: each learns of the other's writes only by reading, and its counts are
// seconds old.
class TablePages : public testing::Test {
 protected:
  TablePages() { fill(); }

  // The registry and the statistics are exact, whichever process wrote.
  void TearDown() override {
    std::vector<ProductTotal> found = wait(stores_[1]->view()->products("", 10)).value();
    for (const auto& product : found) {
      for (int rating = 1; rating <= 5; ++rating) {
        auto all = model_.select({.product = product.product, .ratings = {rating}});
        EXPECT_EQ(product.ratings[static_cast<std::size_t>(rating - 1)], all.size());
      }
    }
    EXPECT_EQ(found.size(), 2u);
  }

  std::size_t below(std::size_t end) { return random_() % end; }

  // Few distinct times, so that many comments share one. English and 5 are frequent.
  Comment random_comment() {
    auto language = below(3) ? "en" : languages[below(languages.size())];
    int rating = below(3) ? 5 : static_cast<int>(below(5)) + 1;
    return comment_at(1000 + below(20), ++made_ * 7919 % 1'000'003, language, rating,
                      below(4) ? "4/2" : "43");
  }

  Query random_query() {
    Query query{.product = below(4) ? "4/2" : "43"};
    for (auto count = below(4); count > 0; --count)
      query.languages.push_back(languages[below(languages.size())]);
    for (auto count = below(5); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    query.limit = 1 + below(below(2) ? 5 : 60);
    query.sort = static_cast<Sort>(below(4));
    return query;
  }

  void fill() {
    std::vector<Comment> batch;
    while (model_.size() + batch.size() < 150) batch.push_back(random_comment());
    for (const auto& comment : batch) model_.insert(comment);
    EXPECT_EQ(wait(either().insert_many(batch)).value(), batch.size());
  }

  void remove(const Ulid& id) {
    ASSERT_TRUE(wait(either().remove(id)));
    model_.remove(id);
  }

  void write_something() {
    auto choice = below(10);
    if (choice < 4) {
      Comment comment = random_comment();
      ASSERT_TRUE(wait(either().insert(comment, {})));
      model_.insert(comment);
    } else if (choice < 7) {
      Comment& comment = model_.at(below(model_.size()));
      comment.rating = static_cast<int>(below(5)) + 1;
      comment.language = languages[below(languages.size())];
      ASSERT_TRUE(wait(
          either().update(comment.id, {.language = comment.language, .rating = comment.rating})));
    } else {
      remove(model_.at(below(model_.size())).id);
    }
  }

  Store& either() { return *stores_[below(stores_.size())]; }

  std::mt19937_64 random_{20261121};
  std::uint64_t made_ = 0;
  PlainModel model_;
  dynamodb::Address address_ = table_address(
      endpoint_of<LocalDynamo>(), testing::UnitTest::GetInstance()->current_test_info()->name(),
      dynamodb::StatisticsBy::write);
  std::array<std::unique_ptr<dynamodb::TableStore>, 2> stores_ = {open_table(address_),
                                                                  open_table(address_)};
  Comments comments_{*stores_[0], lists::listings_of(*stores_[0]), Seal({Seal::Key{1, 2, 3}})};
};

TEST_F(TablePages, PagesAreExactDuringWritesOfBothAndWhenTheirEdgesAreRemoved) {
  for (int round = 0; round < rounds(32); ++round) {
    Query query = random_query();
    query.limit = 1 + below(8);
    wander(comments_, model_, query, random_, 25, [&](const std::vector<Comment>& shown, bool on) {
      const Comment& edge = on ? shown.back() : shown.front();
      auto ahead = model_.page(query, edge, !on).ids;
      if (below(3) == 0 && model_.has(edge.id)) remove(edge.id);
      // The next page is empty then.
      if (below(3) == 0 && ahead.size() < query.limit)
        for (const auto& id : ahead) remove(id);
      if (below(3) == 0) write_something();
      if (model_.size() < 120) fill();
    });
    if (HasFatalFailure()) return;
  }
}

TEST_F(TablePages, APlanNamesThePagesPrice) {
  const auto& billed = stores_[0]->access().client.metrics().consumed;
  for (int round = 0; round < 30; ++round) {
    Query query = random_query();
    query.explain = true;
    double before = billed;
    auto page = std::move(wait(comments_.page(query))).value();
    ASSERT_TRUE(page.explanation);
    EXPECT_EQ(page.explanation->read, page.read);
    EXPECT_EQ(page.explanation->discarded, page.read - page.rows.size());
    EXPECT_EQ(page.explanation->requests, page.requests);
    EXPECT_GT(page.explanation->requests, 0u);
    EXPECT_GT(page.explanation->estimated_cost, 0);
    EXPECT_EQ(page.explanation->consumed_capacity, billed - before);
    if (!page.rows.empty()) {
      EXPECT_GT(page.explanation->consumed_capacity, 0);
    }
  }
}

}  // namespace
}  // namespace quire
