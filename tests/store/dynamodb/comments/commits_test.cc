// Writes are made at most once, and all are counted. The service is in memory, and fails as a test
// asks.
#include "store/dynamodb/comments/commits.h"

#include <gtest/gtest.h>

#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

using Operations = std::map<std::string, std::size_t>;

std::vector<CommentWrite> insertions(std::uint64_t from, std::uint64_t to,
                                     std::string product = "42") {
  std::vector<CommentWrite> writes;
  for (auto i = from; i < to; ++i)
    writes.push_back({{}, comment_at(1000 + i, i, "en", static_cast<int>(i % 5) + 1, product)});
  return writes;
}

class CommitsTest : public testing::Test, protected Looped {
 protected:
  void TearDown() override { EXPECT_EQ(beside_comments(service_.table), recount(service_.table)); }

  Result<Outcome> make(std::vector<CommentWrite> writes) {
    return run(process_.commits.make(std::move(writes)));
  }
  std::size_t comments() { return comments_in(service_.table).size(); }

  // The faults of an operation's first requests; later requests succeed.
  void faults(std::string operation, std::vector<Fault> what) {
    service_.fault = [=, next = std::size_t{0}](const std::string& asked, const auto&) mutable {
      return asked == operation && next < what.size() ? what[next++] : Fault::none;
    };
  }

  PlainService service_;
  Process process_{context, service_};
};

TEST_F(CommitsTest, AfterALostAnswerTheWriteIsAppliedOnce) {
  faults("TransactWriteItems", {Fault::applied, Fault::applied, Fault::not_applied});
  auto outcome = make(insertions(0, 3)).value();
  EXPECT_EQ(outcome.made, std::vector<bool>(3, true));
  EXPECT_EQ(comments(), 3u);
  EXPECT_EQ(service_.asked, (Operations{{"Query", 1}, {"TransactWriteItems", 4}}));
}

TEST_F(CommitsTest, AfterAWriteTheTotalsAreKnown) {
  ASSERT_TRUE(make(insertions(0, 1)));
  ASSERT_TRUE(make(insertions(1, 2)));
  EXPECT_EQ(service_.asked, (Operations{{"Query", 1}, {"TransactWriteItems", 2}}));
  auto known = process_.totals.fresh("42");
  ASSERT_TRUE(known);
  EXPECT_EQ(*known->value, totals_in(service_.table, "42"));
}

TEST_F(CommitsTest, OutdatedStatisticsAreReadAgain) {
  ASSERT_TRUE(make(insertions(0, 1)));
  Process other(context, service_);
  ASSERT_TRUE(run(other.commits.make(insertions(1, 2))));
  service_.asked.clear();
  EXPECT_EQ(make(insertions(2, 3))->made, std::vector<bool>{true});
  EXPECT_EQ(service_.asked, (Operations{{"Query", 1}, {"TransactWriteItems", 2}}));
  EXPECT_EQ(comments(), 3u);
}

TEST_F(CommitsTest, AfterARefusalTheTotalsAreReadConsistently) {
  ASSERT_TRUE(make(insertions(0, 1)));
  Totals old = totals_in(service_.table, "42");
  Process other(context, service_);
  ASSERT_TRUE(run(other.commits.make(insertions(1, 2))));
  service_.asked.clear();
  service_.on_pause = [&] { process_.totals.put("42", old); };
  EXPECT_EQ(make(insertions(2, 3))->made, std::vector<bool>{true});
  EXPECT_EQ(service_.asked, (Operations{{"Query", 1}, {"TransactWriteItems", 2}}));
}

// The known totals lack the comment, so its removal seems to change nothing.
TEST_F(CommitsTest, ACommentNewerThanTheKnownTotalsIsSubtractedToo) {
  ASSERT_TRUE(run(process_.totals.known("42")));
  Process other(context, service_);
  ASSERT_TRUE(run(other.commits.make(insertions(0, 2))));
  auto there = comments_in(service_.table);
  EXPECT_TRUE(make({{comment_item(there[0]), {}}})->made[0]);
  EXPECT_TRUE(make({{comment_item(there[1]), {}}})->made[0]);
  EXPECT_TRUE(service_.table.items.empty());
}

TEST_F(CommitsTest, CommentsThatExistAreLeftOutAndTheRestAreWritten) {
  ASSERT_TRUE(make(insertions(0, 4)));
  Process other(context, service_);
  ASSERT_TRUE(run(other.commits.make(insertions(6, 8))));
  // Outdated totals and existing comments in one batch.
  auto outcome = make(insertions(2, 10)).value();
  EXPECT_EQ(outcome.made, (std::vector<bool>{false, false, true, true, false, false, true, true}));
  EXPECT_EQ(comments(), 10u);
  EXPECT_FALSE(outcome.known_key);
  EXPECT_EQ(make(insertions(0, 10))->made, std::vector<bool>(10, false));
}

TEST_F(CommitsTest, AWriteFromAnOutdatedItemIsNotMade) {
  ASSERT_TRUE(make(insertions(0, 2)));
  auto read = comments_in(service_.table);
  Comment mine = read[0], theirs = read[0];
  mine.rating = 4;
  theirs.text = "other";  // moves nothing, so it is written without a transaction
  ASSERT_TRUE(make({{comment_item(read[0]), theirs}})->made[0]);
  EXPECT_FALSE(make({{comment_item(read[0]), mine}})->made[0]);
  EXPECT_FALSE(make({{comment_item(read[0]), {}}})->made[0]);
  EXPECT_EQ(comments_in(service_.table)[0], theirs);
  EXPECT_TRUE(make({{comment_item(theirs), mine}})->made[0]);
  EXPECT_TRUE(make({{comment_item(mine), {}}})->made[0]);
  EXPECT_FALSE(make({{comment_item(mine), {}}})->made[0]) << "it is gone";
  EXPECT_EQ(comments(), 1u);
}

TEST_F(CommitsTest, ConflictsWithOtherTransactionsAreOvercome) {
  faults("TransactWriteItems", std::vector<Fault>(9, Fault::conflict));
  EXPECT_EQ(make(insertions(0, 1))->made, std::vector<bool>{true});
  EXPECT_EQ(service_.asked["TransactWriteItems"], 10u);
  EXPECT_EQ(comments(), 1u);
}

TEST_F(CommitsTest, ConflictsWithoutEndAreAnError) {
  faults("TransactWriteItems", std::vector<Fault>(1000, Fault::conflict));
  EXPECT_EQ(make(insertions(0, 1)).error().code, ErrorCode::unavailable);
  service_.fault = {};
  EXPECT_TRUE(make(insertions(0, 1))) << "the next write is let in all the same";
}

// A transaction that may still be under way must not be sent again: it could be applied twice.
TEST_F(CommitsTest, AConflictAfterALostAnswerIsAnError) {
  faults("TransactWriteItems",
         {Fault::not_applied, Fault::conflict, Fault::conflict, Fault::conflict});
  EXPECT_EQ(make(insertions(0, 1)).error().code, ErrorCode::unavailable);
  EXPECT_EQ(service_.asked["TransactWriteItems"], 4u);
}

TEST_F(CommitsTest, AWriteWithoutAnswerIsAnErrorAndItsTotalsAreForgotten) {
  ASSERT_TRUE(make(insertions(0, 1)));
  faults("TransactWriteItems", std::vector<Fault>(4, Fault::applied));
  EXPECT_EQ(make(insertions(1, 2)).error().code, ErrorCode::unavailable);
  EXPECT_FALSE(process_.totals.fresh("42"));
  EXPECT_EQ(make(insertions(2, 3))->made, std::vector<bool>{true});
  EXPECT_EQ(comments(), 3u);
  faults("Query", {Fault::refused});
  process_.totals.forget("42");
  EXPECT_EQ(make(insertions(3, 4)).error().code, ErrorCode::unavailable);
}

TEST_F(CommitsTest, WritesThatWaitForOneProductGoInOneTransaction) {
  std::vector<Awaitable<Result<Outcome>>> works;
  for (std::uint64_t i = 0; i < 300; ++i)
    works.push_back(process_.commits.make(insertions(i, i + 1)));
  for (const auto& outcome : run_all(std::move(works)))
    EXPECT_EQ(outcome.value().made, std::vector<bool>{true});
  EXPECT_EQ(comments(), 300u);
  EXPECT_EQ(service_.max_under_way, 1u);
  // All come while the counts are read. 95 and the five items of statistics fill a transaction.
  EXPECT_EQ(service_.asked, (Operations{{"Query", 1}, {"TransactWriteItems", 4}}))
      << "no transaction refused another";
}

TEST_F(CommitsTest, WritesToSeveralProductsGoTogether) {
  std::vector<Awaitable<Result<Outcome>>> works;
  for (std::uint64_t i = 0; i < 60; ++i) {
    // Pairs that share a product, in either order: there must be no deadlock.
    auto writes = insertions(2 * i, 2 * i + 1, std::to_string(i % 3));
    auto more = insertions(2 * i + 1, 2 * i + 2, std::to_string((i + 1) % 3));
    writes.push_back(more.front());
    works.push_back(process_.commits.make(std::move(writes)));
    works.push_back(
        process_.commits.make(insertions(1000 + i, 1001 + i, "alone " + std::to_string(i))));
  }
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome);
  EXPECT_EQ(comments(), 180u);
  EXPECT_GT(service_.max_under_way, 20u);
}

TEST_F(CommitsTest, TheQueueForAProductIsBounded) {
  constexpr std::size_t waiting = Queues::max_waiting;
  std::vector<Awaitable<Result<Outcome>>> works;
  for (std::uint64_t i = 0; i < waiting + 6; ++i)
    works.push_back(process_.commits.make(insertions(i, i + 1)));
  std::size_t refused = 0;
  for (const auto& outcome : run_all(std::move(works))) {
    if (outcome) continue;
    EXPECT_EQ(outcome.error().code, ErrorCode::unavailable);
    ++refused;
  }
  EXPECT_EQ(refused, 5u) << "all but those that wait and the one that writes";
  EXPECT_EQ(comments(), waiting + 1);
  EXPECT_TRUE(make(insertions(2 * waiting, 2 * waiting + 1)));
}

// Where a stream keeps the statistics, each comment is written alone.
class CommitsBesideAStream : public CommitsTest {
 protected:
  void TearDown() override {}

  Result<Outcome> make_alone(std::vector<CommentWrite> writes) {
    return run(alone_.commits.make(std::move(writes)));
  }

  Process alone_{context, service_, StatisticsBy::stream};
};

TEST_F(CommitsBesideAStream, OnlyCommentsAreWritten) {
  EXPECT_EQ(make_alone(insertions(0, 5))->made, std::vector<bool>(5, true));
  auto there = make_alone(insertions(3, 7)).value();
  EXPECT_EQ(there.made, (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(comments(), 7u);
  EXPECT_TRUE(beside_comments(service_.table).empty());
  EXPECT_EQ(service_.asked, (Operations{{"PutItem", 9}}));
}

TEST_F(CommitsBesideAStream, AfterALostAnswerTheItemIsReadToLearnTheOutcome) {
  faults("PutItem", {Fault::applied});
  EXPECT_TRUE(make_alone(insertions(0, 1))->made[0]);
  EXPECT_EQ(service_.asked, (Operations{{"PutItem", 2}, {"GetItem", 1}}));
  Comment comment = comments_in(service_.table)[0], changed = comment, other = comment;
  changed.rating = 3;
  other.text = "other";
  faults("PutItem", {Fault::applied});
  EXPECT_TRUE(make_alone({{comment_item(comment), changed}})->made[0]);
  // Another process's comment under the same id.
  faults("PutItem", {Fault::not_applied});
  EXPECT_FALSE(make_alone({{{}, other}})->made[0]);
  EXPECT_FALSE(make_alone({{comment_item(comment), other}})->made[0]);
  EXPECT_EQ(comments_in(service_.table)[0], changed);
  faults("DeleteItem", {Fault::applied});
  EXPECT_TRUE(make_alone({{comment_item(changed), {}}})->made[0]);
  EXPECT_EQ(comments(), 0u);
}

TEST_F(CommitsBesideAStream, AWriteWithoutAnswerIsAnError) {
  faults("PutItem", std::vector<Fault>(4, Fault::applied));
  EXPECT_EQ(make_alone(insertions(0, 1)).error().code, ErrorCode::unavailable);
  faults("PutItem", {Fault::refused});
  EXPECT_EQ(make_alone(insertions(1, 3)).error().code, ErrorCode::unavailable);
  EXPECT_EQ(comments(), 2u) << "the one refused is not there, the others are";
}

}  // namespace
}  // namespace quire::dynamodb
