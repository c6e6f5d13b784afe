// Seeded damage of each kind is found.
#include <gtest/gtest.h>

#include "model/document.h"
#include "store/lmdb/store.h"
#include "store/lmdb/verify.h"
#include "support.h"
#include "wiring/wait.h"

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

  const Databases& db() const { return store_->databases(); }
  template <class Damage>
  Verified after(Damage damage) {
    lmdb::WriteTransaction txn(*db().environment);
    damage(txn);
    txn.commit();
    return verify(db());
  }
  ProductRow row(lmdb::WriteTransaction& txn) {
    return decode_product(txn.find(db().products, "42").value());
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  Ulid id_ = id_at(1003, 3);  // en, 4
};

TEST_F(Verify, AnIntactStoreHasNoDifferences) {
  auto verified = verify(db());
  EXPECT_EQ(verified.comments, 10u);
  EXPECT_EQ(verified.differences, 0u);
}

TEST_F(Verify, AMissingEntryIsFound) {
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto found = after([&](auto& txn) {
      txn.remove(db().lists, entry_key(lists_of(row(txn), cell("en", 4))[i], id_));
    });
    EXPECT_EQ(found.differences, i + 1);
  }
}

TEST_F(Verify, AnEntryInTheWrongListIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().lists, entry_key(lists_of(row(txn), cell("en", 5))[3], id_), {});
  });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(Verify, AnEntryOfNoListIsFound) {
  EXPECT_EQ(after([&](auto& txn) { txn.put(db().lists, entry_key(4000, id_), {}); }).differences,
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
  EXPECT_GE(found.differences, 6u);  // its id, four entries, a count
}

TEST_F(Verify, ADamagedCommentIsFound) {
  auto found = after(
      [&](auto& txn) { txn.put(db().comments, comment_key(row(txn).block, id_), "garbage"); });
  EXPECT_GE(found.differences, 1u);
}

}  // namespace
}  // namespace quire::embedded
