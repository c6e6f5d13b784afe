// Verify counts votes against the attributes, and rebuild() makes both agree.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "damaged_store.h"
#include "model/document.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {
namespace {

class VerifyVotes : public Verify {
 protected:
  VerifyVotes() {
    auto imported = comment_at(2000, 1, "en", 5);
    imported.attributes = {{"helpful", std::int64_t{8}}};
    EXPECT_TRUE(wait(store_->insert(imported, {})));
    for (std::uint8_t i = 1; i <= 5; ++i) {
      EXPECT_TRUE(wait(
          store_->votes()->vote(voted_, customer(i), i < 4 ? Vote::helpful : Vote::unhelpful)));
      EXPECT_TRUE(wait(store_->votes()->vote(imported_, customer(i), Vote::helpful)));
    }
  }
  void TearDown() override {
    ASSERT_TRUE(wait(store_->rebuild()));
    auto verified = verify(db());
    EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
    EXPECT_EQ(tally(voted_), whole_ ? (Tally{3, 2}) : tally(voted_));
    EXPECT_EQ(tally(imported_), (Tally{13, {}}));
    for (std::uint8_t i = 1; i <= 5; ++i)
      wait(store_->votes()->vote(imported_, customer(i), {})).value();
    EXPECT_EQ(tally(imported_), (Tally{8, {}}));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
  static CustomerHash customer(std::uint8_t number) { return {{number, 5}}; }
  Tally tally(const Ulid& id) {
    auto view = store_->view();
    return tally_of(wait(view->find(id))->attributes);
  }
  std::size_t differences(const std::function<void(lmdb::WriteTransaction&)>& damage) {
    return after(damage).differences;
  }
  const Ulid voted_ = id_at(1003, 3), imported_ = id_at(2000, 1);
  bool whole_ = true;  // no vote is lost
};

TEST_F(VerifyVotes, AnIntactStoreHasNoDifferences) {
  EXPECT_EQ(verify(db()).differences, 0u);
}

TEST_F(VerifyVotes, ACountThatIsNotThatOfTheVotesIsFound) {
  EXPECT_EQ(differences([&](auto& txn) {
              auto key = comment_key(get_u32(txn.find(db().ids, voted_.view())->data()), voted_);
              auto comment = decode_document(*txn.find(db().comments, key)).value();
              comment.attributes["helpful"] = std::int64_t{4};
              txn.put(db().comments, key, encode_document(comment));
            }),
            1u);
}

TEST_F(VerifyVotes, AVoteThatCannotBeFoundByItsCustomerIsFound) {
  EXPECT_EQ(
      differences([&](auto& txn) { txn.remove(db().voters, voter_key(customer(1), voted_)); }), 2u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(
      differences([&](auto& txn) { txn.put(db().voters, voter_key(customer(9), voted_), {}); }),
      1u);
}

TEST_F(VerifyVotes, ADamagedVoteIsFoundAndNoLongerCounted) {
  whole_ = false;
  EXPECT_GE(
      differences([&](auto& txn) { txn.put(db().votes.dbi, vote_key(voted_, customer(1)), "?"); }),
      2u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(tally(voted_), (Tally{2, 2}));
}

TEST_F(VerifyVotes, WhatStoodThereBeforeTheVotesIsWorkedOutAgain) {
  EXPECT_EQ(differences([&](auto& txn) {
              for (const auto& id : {voted_, imported_}) txn.remove(db().votes, id.view());
            }),
            2u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(tally(imported_), (Tally{13, {}}));
  EXPECT_EQ(
      differences([&](auto& txn) { txn.put(db().votes, id_at(1001, 1).view(), encode_tally({})); }),
      1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().votes.dbi, voted_.view(), "?"); }), 2u);
}

TEST_F(VerifyVotes, VotesForWhoseCountACommentHasNoRoomAreSwept) {
  whole_ = false;
  EXPECT_EQ(differences([&](auto& txn) {
              auto key = comment_key(get_u32(txn.find(db().ids, voted_.view())->data()), voted_);
              auto comment = decode_document(*txn.find(db().comments, key)).value();
              comment.attributes.clear();
              for (int i = 0; i < 32; ++i) comment.attributes["a" + std::to_string(i)] = true;
              txn.put(db().comments, key, encode_document(comment));
            }),
            1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(tally(voted_), Tally{});
  EXPECT_EQ(verify(db()).differences, 0u);
}

// Its votes are those of the comment that had the id before.
TEST_F(VerifyVotes, ACommentThatCameBackBeforeTheSweepHasNoVotes) {
  auto back = comment_at(7, 7, "en", 5);
  differences([&](auto& txn) {
    txn.put(db().votes, vote_key(back.id, customer(1)), encode_vote(Vote::helpful));
    txn.put(db().voters, voter_key(customer(1), back.id), {});
    txn.put(db().unswept, back.id.view(), {});
    Edit edit(db(), txn);
    ASSERT_TRUE(edit.insert(back, {}, {}));
    edit.finish();
    edit.rebuild();
    edit.finish();
  });
  EXPECT_EQ(tally(back.id), Tally{});
}

TEST_F(VerifyVotes, VotesOnACommentThatIsGoneAreFoundUnlessTheyWaitToBeSwept) {
  const Ulid gone = id_at(7, 7);
  auto put = [&](auto& txn, std::uint8_t number) {
    txn.put(db().votes, vote_key(gone, customer(number)), encode_vote(Vote::helpful));
    txn.put(db().voters, voter_key(customer(number), gone), {});
  };
  EXPECT_EQ(differences([&](auto& txn) { put(txn, 1); }), 1u);
  for (std::uint8_t i = 1; i < 250; ++i)  // more than one step of sweeping
    ASSERT_TRUE(differences([&](auto& txn) { put(txn, i); }));
  EXPECT_EQ(differences([&](auto& txn) { txn.put(db().unswept, gone.view(), {}); }), 0u);
  auto left = [&] {
    lmdb::ReadTransaction txn(*db().environment);
    return txn.entries(db().unswept);
  };
  for (int i = 0; i < 6000 && left() > 0; ++i)  // a thread of the store sweeps
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(left(), 0u);
  lmdb::ReadTransaction txn(*db().environment);
  EXPECT_EQ(txn.entries(db().votes.dbi), 12u);  // with a tally of each comment
  EXPECT_EQ(txn.entries(db().voters), 10u);
}

}  // namespace
}  // namespace quire::embedded
