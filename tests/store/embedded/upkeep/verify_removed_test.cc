// Verify finds damaged ids of removed comments, and rebuild() drops them and keeps the others.
#include <gtest/gtest.h>

#include "damaged_store.h"

namespace quire::embedded {
namespace {

class VerifyRemoved : public Verify {
 protected:
  VerifyRemoved() {
    Patch source;
    source.attributes["source_id"] = "r1";
    for (const auto& id : {id_, other_}) {
      EXPECT_TRUE(wait(store_->update(id, source)));
      EXPECT_TRUE(wait(store_->remove(id)));
    }
    EXPECT_TRUE(wait(store_->remove(id_at(1005, 5))));
  }
  void TearDown() override {
    Verify::TearDown();
    EXPECT_EQ(removed(), left_);
  }
  std::vector<Ulid> removed() {
    auto view = store_->view();
    auto ids = wait(view->removed()).value();
    EXPECT_TRUE(wait(view->removed())->empty());
    return ids;
  }

  const Ulid other_ = id_at(1004, 4);
  std::vector<Ulid> left_ = {id_, other_};
};

TEST_F(VerifyRemoved, AnIntactStoreHasNoDifferences) {
  EXPECT_EQ(verify(db()).differences, 0u);
}

TEST_F(VerifyRemoved, AnIdWithoutItsSealIsFoundAndDropped) {
  auto damage = [&](auto& txn) { txn.put(db().removed.dbi, id_.view(), "1234"); };
  EXPECT_EQ(after(damage).differences, 1u);
  left_ = {other_};
  EXPECT_EQ(removed(), left_);
}

TEST_F(VerifyRemoved, AKeyThatIsNoIdIsFoundAndDropped) {
  EXPECT_EQ(after([&](auto& txn) { txn.put(db().removed, "no id", {}); }).differences, 1u);
}

}  // namespace
}  // namespace quire::embedded
