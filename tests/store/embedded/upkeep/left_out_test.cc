// Damaged rows beside the comments are counted by each reader, and a repair removes them.
#include <gtest/gtest.h>

#include "damaged_store.h"
#include "store/customer_view.h"
#include "store/embedded/format/rows.h"
#include "store/moderation_view.h"

namespace quire::embedded {
namespace {

class LeftOut : public Verify {
 protected:
  LeftOut() {
    own_.customer = customer_;
    EXPECT_TRUE(wait(store_->insert(own_, {})));
    EXPECT_TRUE(
        wait(store_->moderation()->report(id_, {customer_.person(), 6000, "spam", "a note"}, 0)));
    EXPECT_TRUE(wait(store_->votes()->vote(id_, customer_, Vote::helpful)));
    EXPECT_TRUE(wait(store_->votes()->vote(other_, customer_, Vote::helpful)));
  }
  void TearDown() override {
    EXPECT_EQ(wait(store_->rebuild())->removed, removed_);
    EXPECT_EQ(verify(db()).differences, 0u);
    auto erased = wait(store_->customers()->erase(customer_, false));
    EXPECT_FALSE(erased.failed);
    EXPECT_FALSE(names_customer());
  }
  // Whether a key of a row names the customer.
  bool names_customer() {
    lmdb::ReadTransaction txn(*db().environment);
    for (MDB_dbi dbi : {db().customers, db().tickets.dbi, db().votes.dbi, db().voters}) {
      for (const auto& entry : lmdb::Entries(txn, dbi))
        if (entry.key().find(customer_.view()) != std::string_view::npos) return true;
    }
    return false;
  }
  // Makes a row's bytes those of no seal.
  void damage(const lmdb::Sealed& database, std::string_view key) {
    lmdb::WriteTransaction txn(*db().environment);
    ASSERT_TRUE(txn.find(database.dbi, key));
    txn.put(database.dbi, key, "no seal is here");
    txn.commit();
  }
  CustomerHash customer_{{1, 2, 3}};
  Comment own_ = comment_at(2000, 1, "en", 5, "of customers");
  const Ulid other_ = id_at(1004, 4);
  std::size_t removed_ = 0;
};

TEST_F(LeftOut, NothingIsWhereNothingIsDamaged) {
  auto view = store_->view();
  EXPECT_EQ(wait(view->customers()->written_by(customer_, {}, 10))->damaged, 0u);
  EXPECT_EQ(wait(view->customers()->reports_by(customer_))->size(), 1u);
  EXPECT_EQ(wait(view->customers()->votes_by(customer_))->size(), 2u);
  EXPECT_EQ(view->left_out(), 0u);
}

TEST_F(LeftOut, AReportIsCounted) {
  damage(db().reports, report_key(id_, customer_.person()));
  auto view = store_->view();
  EXPECT_TRUE(wait(view->customers()->reports_by(customer_))->empty());
  EXPECT_EQ(view->left_out(), 1u);
  auto entries = wait(view->comments("42", Order::oldest_first, {}, 100))->entries;
  EXPECT_EQ(wait(view->moderation()->moderated("42", entries))->size(), 1u);
  EXPECT_EQ(view->left_out(), 2u);
  removed_ = 1;
}

TEST_F(LeftOut, ADecisionIsCounted) {
  auto moderate = [](const Comment&, Comment& after) -> Status {
    after.moderation.note = "seen";
    return Done{};
  };
  ASSERT_TRUE(wait(store_->update(id_, {}, {}, moderate)));
  damage(db().moderation, id_.view());
  auto view = store_->view();
  auto entries = wait(view->comments("42", Order::oldest_first, {}, 100))->entries;
  ASSERT_TRUE(wait(view->moderation()->moderated("42", entries)));
  EXPECT_EQ(view->left_out(), 1u);
  removed_ = 1;
}

TEST_F(LeftOut, AVoteIsCountedAndErasedAllTheSame) {
  damage(db().votes, vote_key(id_, customer_));
  auto view = store_->view();
  EXPECT_EQ(wait(view->customers()->votes_by(customer_))->size(), 1u);
  EXPECT_EQ(view->left_out(), 1u);
  view.reset();
  auto erased = wait(store_->customers()->erase(customer_, false));
  ASSERT_TRUE(erased.failed) << "the count of the comment has the vote";
  EXPECT_EQ(erased.failed->code, ErrorCode::damaged);
  EXPECT_EQ(erased.removed.votes, 2u);
  EXPECT_EQ(erased.removed.reports, 1u) << "and all that comes after the vote";
  EXPECT_FALSE(names_customer());
  EXPECT_EQ(wait(store_->view()->find(id_))->attributes.count("helpful"), 1u);
  ASSERT_TRUE(wait(store_->rebuild()));
}

TEST_F(LeftOut, WhatACommentCountsWithoutVotesIsDamaged) {
  damage(db().votes, id_.view());
  auto erased = wait(store_->customers()->erase(customer_, false));
  ASSERT_TRUE(erased.failed);
  EXPECT_EQ(erased.removed.votes, 2u);
  EXPECT_FALSE(names_customer());
  removed_ = 1;
}

TEST_F(LeftOut, AnOwnCommentIsCountedAndStaysUntilARepair) {
  auto key = comment_key(
      get_u32(lmdb::ReadTransaction(*db().environment).find(db().ids, own_.id.view())->data()),
      own_.id);
  damage(db().comments, key);
  auto own = wait(store_->view()->customers()->written_by(customer_, {}, 10)).value();
  EXPECT_TRUE(own.comments.empty());
  EXPECT_EQ(own.damaged, 1u);
  for (int i = 0; i < 2; ++i) {
    auto erased = wait(store_->customers()->erase(customer_, false));
    ASSERT_TRUE(erased.failed) << "each erasure says so";
    EXPECT_EQ(erased.failed->code, ErrorCode::damaged);
  }
}

TEST_F(LeftOut, OneThatCannotBeReadKeepsNoOther) {
  auto second = comment_at(2001, 2, "en", 5, "of customers");
  second.customer = customer_;
  ASSERT_TRUE(wait(store_->insert(second, {})));
  {
    lmdb::WriteTransaction txn(*db().environment);
    txn.put(db().moderation.dbi, own_.id.view(), "no seal is here");
    txn.put(db().tickets.dbi, ticket_key(customer_, {7}), "no seal is here");
    txn.commit();
  }
  auto erased = wait(store_->customers()->erase(customer_, false));
  ASSERT_TRUE(erased.failed);
  EXPECT_EQ(erased.failed->code, ErrorCode::damaged);
  EXPECT_EQ(erased.removed.comments, 1u);
  EXPECT_EQ(erased.removed.tickets, 1u);
  EXPECT_FALSE(wait(store_->view()->find(second.id)));
  removed_ = 1;  // the decision
}

TEST_F(LeftOut, RowsThatNameNoCommentOfTheCustomerAreErased) {
  lmdb::WriteTransaction txn(*db().environment);
  for (const auto& id : {id_at(7, 7), id_}) {
    txn.put(db().customers, customer_key(customer_, "", id), {});
    txn.put(db().customers, customer_key(customer_, "42", id), {});
  }
  txn.commit();
  auto own = wait(store_->view()->customers()->written_by(customer_, {}, 10)).value();
  EXPECT_EQ(own.damaged, 2u);
  EXPECT_FALSE(wait(store_->customers()->erase(customer_, false)).failed);
  EXPECT_FALSE(names_customer());
}

}  // namespace
}  // namespace quire::embedded
