// Verify finds damage of every kind, and rebuild() repairs it from the comments.
#include <gtest/gtest.h>

#include <filesystem>

#include "lmdb/ranked_set.h"
#include "loop/wait.h"
#include "model/document.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Verify : public testing::Test {
 protected:
  Verify() : store_(LmdbStore::open(directory_.path(), Access::write).value()) {
    for (std::uint64_t i = 0; i < 10; ++i) {
      EXPECT_TRUE(
          wait(store_->insert(comment_at(1000 + i, i, "en", static_cast<int>(i % 5) + 1), {})));
    }
  }

  std::size_t damaged_rows() {
    lmdb::ReadTransaction txn(*db().environment);
    MDB_stat stat{};
    EXPECT_EQ(mdb_stat(txn.get(), db().damaged, &stat), MDB_SUCCESS);
    return stat.ms_entries;
  }
  const Databases& db() const { return store_->databases(); }
  template <class Damage>
  Verified after(Damage damage) {
    lmdb::WriteTransaction txn(*db().environment);
    damage(txn);
    txn.commit();
    return verify(db());
  }
  // Repairs the damage of the test. Only comments that cannot be read may be lost.
  void TearDown() override {
    auto before = verify(db());
    auto rebuilt = wait(store_->rebuild());
    ASSERT_TRUE(rebuilt);
    auto repaired = verify(db());
    EXPECT_EQ(repaired.differences, 0u) << repaired.reports.front();
    EXPECT_EQ(repaired.comments + rebuilt->set_aside.size(), before.comments - repeated_);
    EXPECT_EQ(rebuilt->set_aside.size(), set_aside_);
    EXPECT_EQ(damaged_rows(), set_aside_);
    std::size_t listed = 0;
    auto view = store_->view();
    auto products = wait(view->products("", 100));
    for (const auto& product : products.value()) listed += product.comments;
    EXPECT_EQ(listed, repaired.comments);
    EXPECT_TRUE(wait(store_->insert(comment_at(9000, 1, "fr", 2), {})));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
  ProductRow row(lmdb::WriteTransaction& txn) {
    return decode_product(txn.find(db().products, "42").value());
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  Ulid id_ = id_at(1003, 3);  // en, 4
  std::size_t set_aside_ = 0;
  std::size_t repeated_ = 0;  // identical copies of comments
};

TEST_F(Verify, AnIntactStoreHasNoDifferences) {
  auto verified = verify(db());
  EXPECT_EQ(verified.comments, 10u);
  EXPECT_EQ(verified.differences, 0u);
}

TEST_F(Verify, AMissingEntryIsFound) {
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto found = after([&](auto& txn) {
      txn.remove(db().lists, lmdb::RankedKey(lists_of(row(txn), cell("en", 4))[i], 0, id_));
    });
    EXPECT_GE(found.differences, i + 1);  // in lists with levels, the ranks differ too
  }
}

TEST_F(Verify, AnEntryInTheWrongListIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().lists, lmdb::RankedKey(lists_of(row(txn), cell("en", 5))[3], 0, id_), {});
  });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(Verify, AnEntryOfAnUnknownListIsFound) {
  EXPECT_EQ(
      after([&](auto& txn) { txn.put(db().lists, lmdb::RankedKey(4000, 0, id_), {}); }).differences,
      1u);
}

TEST_F(Verify, AWrongCountIsFound) {
  auto found = after([&](auto& txn) {
    auto changed = row(txn);
    ++changed.languages[0].comments[2];
    txn.put(db().products, "42", encode_product(changed));
  });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(Verify, AMissingIdIsFound) {
  EXPECT_EQ(after([&](auto& txn) { txn.remove(db().ids, id_.view()); }).differences, 1u);
}

TEST_F(Verify, AnIdWithoutACommentIsFound) {
  auto found =
      after([&](auto& txn) { txn.put(db().ids, id_at(7, 7).view(), std::string(4, '\0')); });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(Verify, AMissingCommentIsFound) {
  auto found =
      after([&](auto& txn) { txn.remove(db().comments, comment_key(row(txn).block, id_)); });
  EXPECT_GE(found.differences, 6u);  // an id, four entries, a count
}

TEST_F(Verify, ADamagedCommentIsFound) {
  auto found = after(
      [&](auto& txn) { txn.put(db().comments, comment_key(row(txn).block, id_), "garbage"); });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
}

TEST_F(Verify, ACommentUnderAnotherProductIsFound) {
  auto found = after([&](auto& txn) {
    auto from = comment_key(row(txn).block, id_);
    std::string document(txn.find(db().comments, from).value());
    txn.remove(db().comments, from);
    txn.put(db().comments, comment_key(77, id_), document);
  });
  EXPECT_GE(found.differences, 1u);
}

TEST_F(Verify, AStrayCopyDoesNotReplaceTheComment) {
  Comment stale = comment_at(1003, 3, "en", 1);
  auto found = after(
      [&](auto& txn) { txn.put(db().comments, comment_key(77, id_), encode_document(stale)); });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
  ASSERT_TRUE(wait(store_->rebuild()));
  auto view = store_->view();
  EXPECT_EQ(decode_document(wait(view->get(id_)).value())->rating, 4);
  // A second stray copy under the same key is kept too.
  after([&](auto& txn) {
    stale.rating = 2;
    txn.put(db().comments, comment_key(77, id_), encode_document(stale));
  });
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(damaged_rows(), 2u);
  set_aside_ = 0;
  lmdb::WriteTransaction txn(*db().environment);
  txn.clear(db().damaged);
  txn.commit();
}

TEST_F(Verify, AnIdenticalCopyIsDropped) {
  after([&](auto& txn) {
    std::string document(txn.find(db().comments, comment_key(row(txn).block, id_)).value());
    txn.put(db().comments, comment_key(77, id_), document);
  });
  repeated_ = 1;
}

TEST_F(Verify, AnIdUsedTwiceIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().comments, comment_key(77, id_),
            encode_document(Comment{.id = id_, .product = "43", .language = "en", .rating = 1}));
  });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
}

TEST_F(Verify, ADamagedProductIsFound) {
  auto found = after([&](auto& txn) { txn.put(db().products, "42", "garbage"); });
  EXPECT_GE(found.differences, 1u);
}

TEST_F(Verify, AMissingProductIsFound) {
  EXPECT_GE(after([&](auto& txn) { txn.remove(db().products, "42"); }).differences, 1u);
}

TEST_F(Verify, AnOldCounterOfBlocksIsFound) {
  for (const auto& value : {std::string(4, '\0'), std::string("?")}) {
    auto found = after([&](auto& txn) { txn.put(db().meta, "next_block", value); });
    EXPECT_EQ(found.differences, 1u);
  }
  EXPECT_FALSE(wait(store_->insert(comment_at(9001, 1, "nl", 2), {})));
}

// Rows with repeated, unsorted or no languages, and with an impossible block.
TEST_F(Verify, AProductRowThatContradictsItselfIsRepaired) {
  ASSERT_TRUE(wait(store_->insert(comment_at(1011, 11, "de", 5), {})));
  using Damage = void (*)(ProductRow&);
  const Damage damages[] = {
      [](ProductRow& row) { row.languages[0].language = row.languages[1].language; },
      [](ProductRow& row) { std::swap(row.languages[0], row.languages[1]); },
      [](ProductRow& row) { row.languages[0].language = 0xFFFFFFFF; },
      [](ProductRow& row) { row.languages[0].block = row.block; },
      [](ProductRow& row) { row.block = max_block; },
      [](ProductRow& row) { row.block = 0xFFFFFFFF; },
  };
  for (auto damage : damages) {
    auto found = after([&](auto& txn) {
      auto changed = row(txn);
      damage(changed);
      txn.put(db().products, "42", encode_product(changed));
    });
    EXPECT_GE(found.differences, 1u);
    ASSERT_TRUE(wait(store_->rebuild()));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
}

TEST_F(Verify, KeysOfWrongSizesAreFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().comments, "odd", "");
    txn.put(db().ids, "odd", "");
    txn.put(db().lists, "odd", "");
    txn.put(db().lists, std::string_view("\0\0\0\0\0\1", 6), "");
  });
  EXPECT_EQ(found.differences, 4u);
  set_aside_ = 1;
}

TEST_F(Verify, ASuperfluousOrMissingLeaderIsFound) {
  auto found = after([&](auto& txn) {
    auto key = leader_key(LeaderKind::five_star, any, "42", row(txn).ratings()).value();
    txn.remove(db().leaders, key);
    txn.put(db().leaders, leader_prefix(LeaderKind::average, any) + "12345678" + "43", {});
  });
  EXPECT_EQ(found.differences, 2u);
}

// Has enough comments for upper levels.
class VerifyRanks : public Verify {
 protected:
  VerifyRanks() {
    std::vector<Comment> batch;
    for (std::uint64_t i = 100; i < 3000; ++i)
      batch.push_back(comment_at(2000 + i, i, "en", static_cast<int>(i % 5) + 1));
    EXPECT_TRUE(wait(store_->insert_many(batch)));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
  // The key of the second entry on level 1 of the list of all comments.
  std::string second(lmdb::WriteTransaction& txn) {
    lmdb::Cursor cursor(txn.get(), db().lists);
    EXPECT_TRUE(cursor.seek(lmdb::RankedKey(row(txn).block << 3, 1, Ulid{}), MDB_SET_RANGE));
    EXPECT_TRUE(cursor.move(MDB_NEXT));
    return std::string(cursor.key());
  }
};

TEST_F(VerifyRanks, AWrongCountIsFound) {
  auto found = after([&](auto& txn) { txn.put(db().lists, second(txn), std::string(8, '\1')); });
  EXPECT_EQ(found.differences, 1u);
  EXPECT_EQ(found.reports.front(), "the page index of PRODUCT#42 counts wrongly");
}

TEST_F(VerifyRanks, AMissingEntryIsFound) {
  EXPECT_EQ(after([&](auto& txn) { txn.remove(db().lists, second(txn)); }).differences, 1u);
}

TEST_F(VerifyRanks, AMissingHeadIsFound) {
  auto found =
      after([&](auto& txn) { txn.remove(db().lists, lmdb::RankedKey(row(txn).block << 3, 1)); });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(VerifyRanks, ASuperfluousEntryIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().lists, lmdb::RankedKey(row(txn).block << 3, 3, id_at(2100, 100)),
            std::string(8, '\0'));
  });
  EXPECT_EQ(found.differences, 1u);
}

// Readers and writers that meet a key of wrong size get an error.
TEST_F(VerifyRanks, AKeyThatIsTooLongIsFound) {
  auto found = after([&](auto& txn) {
    std::string key = second(txn);
    txn.remove(db().lists, key);
    txn.put(db().lists, key + std::string(400, 'x'), std::string(8, '\1'));
  });
  EXPECT_GE(found.differences, 1u);
  auto view = store_->view();
  int refused = 0;
  for (std::uint64_t n = 0; n < 2900; ++n) {
    RankRange one{Cell{}, n, 1};
    try {
      (void)wait(view->ranks()->slices("42", {&one, 1}));
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  (void)wait(store_->insert(comment_at(9002, 1, "en", 2), {}));
}

// Writers that meet a count of wrong size get an error.
TEST_F(VerifyRanks, AShortCountIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().lists, lmdb::RankedKey(row(txn).block << 3, 1), std::string(3, '\1'));
  });
  EXPECT_EQ(found.differences, 1u);
  EXPECT_FALSE(wait(store_->insert(comment_at(1, 1, "en", 2), {})));
}

// Requests that meet damaged ranks get an error.
TEST_F(VerifyRanks, AMissingEntryBetweenLevelsIsAnError) {
  after([&](auto& txn) { txn.remove(db().lists, lmdb::RankedKey(row(txn).block << 3, 1)); });
  auto view = store_->view();
  Cell all{};
  EXPECT_THROW(wait(view->ranks()->ranks("42", {&all, 1}, id_)), std::runtime_error);
}

}  // namespace
}  // namespace quire::embedded
