// Writes of several callers share a transaction, and one caller's refusal is not another's.
#include "store/dynamodb/comments/group.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

using Works = std::vector<Awaitable<Result<Outcome>>>;

class GroupTest : public testing::Test, protected Looped {
 protected:
  void SetUp() override { ASSERT_TRUE(run(process_.totals.known("42"))); }
  void TearDown() override { EXPECT_EQ(beside_comments(service_.table), recount(service_.table)); }

  static Comment numbered(std::uint64_t i) { return comment_at(1000 + i, i, "en", 1 + i % 5); }
  static std::vector<CommentWrite> insertion(const Comment& comment) { return {{{}, comment}}; }
  static Item once(std::uint64_t i) {
    Item item = key_of("ONCE#" + std::to_string(i), "ONCE#" + std::to_string(i));
    item.emplace("expires", number(1000));
    return item;
  }
  Awaitable<Result<Outcome>> insert(std::uint64_t i) {
    return process_.commits.make(insertion(numbered(i)));
  }
  // The first of concurrent writes goes at once, the others wait for it: this is the first.
  Works behind_another() {
    Works works;
    works.push_back(insert(1'000'000));
    return works;
  }
  // Inserts a comment, and notes the number of transactions up to then.
  Awaitable<Result<Outcome>> insert(std::uint64_t i, std::size_t& transactions_until_made) {
    auto outcome = co_await insert(i);
    transactions_until_made = transactions();
    co_return outcome;
  }
  // Another caller begins to post a comment, whose key may have been used.
  void post(std::uint64_t i) {
    auto work = [this, i]() -> Awaitable<void> {
      auto outcome = co_await process_.commits.make(insertion(numbered(i)), once(i), 700);
      EXPECT_TRUE(outcome->known_key);
    };
    boost::asio::co_spawn(context, work, boost::asio::detached);
  }
  void count_pauses() {
    service_.on_pause = [this] { ++pauses_; };
  }
  std::size_t transactions() { return service_.asked["TransactWriteItems"]; }
  std::size_t comments() { return comments_in(service_.table).size(); }

  PlainService service_;
  Process process_{context, service_};
  std::size_t pauses_ = 0;
};

TEST_F(GroupTest, ARefusedCommentFallsOutAndTheOthersAreMade) {
  for (std::uint64_t i = 10; i < 13; ++i) ASSERT_TRUE(run(insert(i)));
  service_.asked.clear();
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 20; ++i) works.push_back(insert(i));
  auto outcomes = run_all(std::move(works));
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(outcomes[i + 1].value().made, std::vector<bool>{i < 10 || i >= 13}) << i;
  EXPECT_EQ(comments(), 21u);
  EXPECT_EQ(transactions(), 3u) << "the first, the group, and the group without three";
}

TEST_F(GroupTest, AKeyThatWasUsedFallsOutWithItsComment) {
  ASSERT_TRUE(run(process_.commits.make(insertion(numbered(100)), once(5), 700)));
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 20; ++i)
    works.push_back(process_.commits.make(insertion(numbered(i)), once(i), 700));
  auto outcomes = run_all(std::move(works));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(outcomes[i + 1]->known_key, i == 5) << i;
  EXPECT_EQ(comments(), 21u);
  EXPECT_FALSE(service_.table.find(comment_key(numbered(5).id)));
  EXPECT_TRUE(service_.table.find(once(6)));
}

TEST_F(GroupTest, CallersThatFallOutLetNoOthersIn) {
  for (std::uint64_t i = 10; i < 30; ++i)
    ASSERT_TRUE(run(process_.commits.make(insertion(numbered(i)), once(i), 700)));
  service_.asked.clear();
  count_pauses();
  service_.fault = [&, next = std::uint64_t{10}](const std::string& operation,
                                                 const auto&) mutable {
    if (operation == "TransactWriteItems" && next < 30) post(next++);
    return Fault::none;
  };
  auto works = behind_another();
  std::size_t until_made = 0;
  works.push_back(insert(1, until_made));
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome.value().made[0]);
  EXPECT_LE(until_made, 4u) << "another, two with used keys at most, one without";
  EXPECT_EQ(comments(), 22u);
  EXPECT_EQ(pauses_, 0u) << "no server races";
}

// The service takes no item twice.
TEST_F(GroupTest, WritesOfOneCommentAreInDifferentTransactions) {
  ASSERT_TRUE(run(insert(1)));
  Comment before = numbered(1), after = before;
  after.rating = 5;
  auto works = behind_another();
  for (int i = 0; i < 5; ++i)
    works.push_back(process_.commits.make({{comment_item(before), after}}));
  works.push_back(process_.commits.make({{comment_item(before), {}}}));
  works.push_back(insert(2));
  auto outcomes = run_all(std::move(works));
  for (std::size_t i = 1; i < 8; ++i)
    EXPECT_EQ(outcomes[i].value().made, std::vector<bool>{i == 1 || i == 7}) << i;
  EXPECT_EQ(comments(), 3u);
}

TEST_F(GroupTest, RemovalsAndEditsShareATransaction) {
  for (std::uint64_t i = 0; i < 10; ++i) ASSERT_TRUE(run(insert(i)));
  service_.asked.clear();
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 10; ++i) {
    Comment before = numbered(i), after = before;
    after.language = "de";
    std::optional<Comment> to;
    if (i % 2) to = after;
    works.push_back(process_.commits.make({{comment_item(before), to}}));
  }
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome.value().made[0]);
  EXPECT_EQ(comments(), 6u);
  EXPECT_EQ(transactions(), 2u);
}

// A comment of another program may have attributes that make its edit too large for the service.
TEST_F(GroupTest, AWriteThatTheServiceTakesForInvalidFailsAlone) {
  service_.fault = [](const std::string&, const boost::json::object& body) {
    bool invalid = boost::json::serialize(body).find("\\\"comment 7\\\"") != std::string::npos;
    return invalid ? Fault::refused : Fault::none;
  };
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 20; ++i) works.push_back(insert(i));
  auto outcomes = run_all(std::move(works));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(bool(outcomes[i + 1]), i != 7) << i;
  EXPECT_EQ(comments(), 20u);
}

TEST_F(GroupTest, WritesThatGoAloneLeaveOtherServersNoTime) {
  Process other(context, service_);
  ASSERT_TRUE(run(other.commits.make(insertion(numbered(1000)))));
  count_pauses();
  ASSERT_TRUE(run(insert(1001))) << "after a lost race";
  ASSERT_EQ(pauses_, 1u);
  service_.fault = [](const std::string&, const boost::json::object& body) {
    bool several = body.contains("TransactItems") && body.at("TransactItems").as_array().size() > 9;
    return several ? Fault::refused : Fault::none;
  };
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 20; ++i) works.push_back(insert(i));
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome.value().made[0]);
  EXPECT_LE(pauses_, 3u) << "one for the first, and one for the group";
}

TEST_F(GroupTest, WhereTheTableThrottlesLargeTransactionsGroupsAreSmaller) {
  service_.fault = [](const std::string&, const boost::json::object& body) {
    bool large = body.contains("TransactItems") && body.at("TransactItems").as_array().size() > 40;
    return large ? Fault::throttled : Fault::none;
  };
  auto sixty = [&](std::uint64_t from) {
    Works works;
    for (auto i = from; i < from + 60; ++i) works.push_back(insert(i));
    std::size_t made = 0;
    for (const auto& outcome : run_all(std::move(works))) made += outcome ? 1 : 0;
    return made;
  };
  EXPECT_EQ(sixty(0), 1u) << "the first alone";
  EXPECT_EQ(sixty(100), 60u);
  EXPECT_EQ(sixty(200), 60u);
  service_.fault = {};
  for (std::uint64_t i = 1000; i < 1070; ++i) ASSERT_TRUE(run(insert(i)));
  service_.asked.clear();
  EXPECT_EQ(sixty(300), 60u);
  EXPECT_EQ(transactions(), 2u) << "as large as before";
}

TEST_F(GroupTest, WithoutAnAnswerAllOfTheGroupHaveTheError) {
  service_.fault = [n = 0](const std::string& operation, const auto&) mutable {
    return operation == "TransactWriteItems" && ++n > 1 ? Fault::applied : Fault::none;
  };
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 20; ++i) works.push_back(insert(i));
  auto outcomes = run_all(std::move(works));
  for (std::uint64_t i = 1; i <= 20; ++i)
    EXPECT_EQ(outcomes[i].error().code, ErrorCode::unavailable);
  EXPECT_EQ(comments(), 21u) << "though the table has them";
}

TEST_F(GroupTest, LargeWritesFillATransactionByTheirBytes) {
  auto works = behind_another();
  for (std::uint64_t i = 0; i < 40; ++i) {
    Comment large = numbered(i);
    large.text.assign(150'000, 'x');
    works.push_back(process_.commits.make(insertion(large)));
  }
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome);
  EXPECT_EQ(transactions(), 4u) << "of one, 19, 19 and two";
}

TEST_F(GroupTest, SeveralServersGetOn) {
  std::vector<std::unique_ptr<Process>> processes;
  Works works;
  for (std::uint64_t server = 0; server < 4; ++server) {
    processes.push_back(std::make_unique<Process>(context, service_));
    for (std::uint64_t i = 0; i < 200; ++i)
      works.push_back(processes.back()->commits.make(insertion(numbered(1000 * server + i))));
  }
  for (const auto& outcome : run_all(std::move(works))) EXPECT_TRUE(outcome.value().made[0]);
  EXPECT_EQ(comments(), 800u);
  EXPECT_LT(transactions(), 100u);
}

}  // namespace
}  // namespace quire::dynamodb
