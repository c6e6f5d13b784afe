// A store that tests damage, verify and repair.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {

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
    EXPECT_EQ(rebuilt->facts_aside.size(), facts_aside_);
    EXPECT_EQ(damaged_rows(), set_aside_ + facts_aside_);
    std::size_t listed = 0;
    auto view = store_->view();
    auto products = wait(view->products("", 100));
    for (const auto& product : products.value()) listed += product.comments;
    EXPECT_EQ(listed, repaired.comments);
    EXPECT_TRUE(wait(store_->insert(comment_at(9000, 1, "fr", 2), {})));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
  ProductNumber row_number() {
    lmdb::WriteTransaction txn(*db().environment);
    return row(txn).number;
  }
  ProductRow row(lmdb::WriteTransaction& txn) {
    return decode_product(txn.find(db().products, "42").value());
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  Ulid id_ = id_at(1003, 3);  // en, 4
  std::size_t set_aside_ = 0;
  std::size_t facts_aside_ = 0;
  std::size_t repeated_ = 0;  // identical copies of comments
};

}  // namespace quire::embedded
