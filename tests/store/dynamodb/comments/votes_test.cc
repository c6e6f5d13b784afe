// Votes of a removed comment that nobody has swept yet, and a comment that came back with its id.
#include <gtest/gtest.h>

#include <set>

#include "model/vote.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/support.h"
#include "store/table_backend.h"

namespace quire::dynamodb {
namespace {

CustomerHash voter(std::uint8_t number) {
  return {{number, 31}};
}

class ReturnedComment : public testing::Test {
 protected:
  ReturnedComment() {
    put(sweep_item(comment_.id));
    for (std::uint8_t i = 1; i <= 3; ++i) put(vote_item(comment_.id, voter(i), Vote::helpful));
    EXPECT_TRUE(wait(store_->insert_many({comment_})));
  }
  void put(const Item& item) {
    Call call = put_item(access_.client.table(), item, {}, Repeat::safe);
    EXPECT_FALSE(wait(access_.loop.run(access_.client.send(std::move(call)))).failure);
  }
  bool is_there(const Item& key) {
    return wait(access_.loop.run(access_.client.get(key)))->item.has_value();
  }
  Voted vote(std::uint8_t number, std::optional<Vote> vote) {
    return wait(store_->votes()->vote(comment_.id, voter(number), vote)).value();
  }
  void sweep() {
    while (wait(store_->votes()->sweep()).value()) {
    }
  }
  void expect_votes(std::set<std::uint8_t> voters) {
    for (std::uint8_t i = 1; i <= 3; ++i)
      EXPECT_EQ(is_there(vote_key(comment_.id, voter(i))), voters.contains(i)) << int{i};
    auto kept = wait(store_->view()->find(comment_.id)).value();
    EXPECT_EQ(tally_of(kept.attributes), counted({}, {voters.size(), 0}));
    EXPECT_FALSE(is_there(sweep_key(comment_.id)));
  }
  static std::string name() {
    static int made = 0;
    return "returned" + std::to_string(++made);
  }

  const Comment comment_ = comment_at(5000, 5, "en", 4);
  std::unique_ptr<TableStore> store_ =
      open_table(table_address(endpoint_of<LocalDynamo>(), name(), StatisticsBy::write));
  TableAccess& access_ = store_->access();
};

TEST_F(ReturnedComment, ASweepLeavesNoVoteOfTheOneBefore) {
  Report report{{9}, 1, "spam", "", false};
  ASSERT_TRUE(wait(store_->moderation()->report(comment_.id, report, 0)));
  sweep();
  expect_votes({});
  EXPECT_TRUE(is_there(reports_key(comment_.id))) << "reports are of this one";
}

TEST_F(ReturnedComment, ItsFirstVoteSweepsThoseOfTheOneBefore) {
  EXPECT_EQ(vote(2, Vote::helpful).helpful, 1);
  expect_votes({2});
  sweep();
  expect_votes({2});
}

// Its statistics, which each write keeps, and its product are not known then.
TEST_F(ReturnedComment, WithVotesIsRemovedThoughItIsDamaged) {
  EXPECT_EQ(vote(2, Vote::helpful).helpful, 1);
  Item item = *wait(access_.loop.run(access_.client.get(comment_key(comment_.id))))->item;
  item["data"] = string("{");
  put(item);
  auto removed = wait(store_->remove(comment_.id));
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_EQ(*removed, "") << "there is no document to return";
  EXPECT_FALSE(is_there(comment_key(comment_.id)));
  EXPECT_FALSE(is_there(vote_key(comment_.id, voter(2))));
  EXPECT_FALSE(is_there(sweep_key(comment_.id)));
}

TEST_F(ReturnedComment, AVoteOfTheOneBeforeIsTakenBackAndCountsNowhere) {
  EXPECT_FALSE(vote(1, {}).vote);
  EXPECT_FALSE(is_there(vote_key(comment_.id, voter(1))));
  EXPECT_EQ(vote(3, Vote::helpful).helpful, 1);
  expect_votes({3});
}

}  // namespace
}  // namespace quire::dynamodb
