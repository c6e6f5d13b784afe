// Verify finds damage of the index in a product of several blocks.
#include <gtest/gtest.h>

#include "bitmap_index/databases.h"
#include "damaged_store.h"
#include "store/views.h"

namespace quire::embedded {
namespace {

// Has three blocks or more. The hash key, which is random, decides after how many comments.
class VerifyBlocks : public Verify {
 protected:
  VerifyBlocks() {
    for (; !HasFailure() && blocks() < 3; comments_ += 2000) {
      std::vector<Comment> batch;
      for (auto i = comments_ + 100; i < comments_ + 2100; ++i)
        batch.push_back(comment_at(2000 + i, i, "en", static_cast<int>(i % 5) + 1));
      EXPECT_TRUE(wait(store_->insert_many(batch)));
    }
    EXPECT_EQ(verify(db()).differences, 0u);
  }
  std::size_t blocks() {
    auto view = store_->view();
    return bitmaps_of(*view, "42").value().value().reader->blocks().size();
  }
  // The key of the second count of all ids of the product, on the lowest level.
  std::string second(lmdb::WriteTransaction& txn) {
    lmdb::Cursor cursor(txn.get(), db().index.counts);
    auto first = bitmap_index::count_key(row(txn).number, bitmap_index::every_id, 0, 0, Ulid{});
    EXPECT_TRUE(cursor.seek(first, MDB_SET_RANGE) && cursor.move(MDB_NEXT));
    return std::string(cursor.key());
  }

  std::uint64_t comments_ = 0;  // beside those of Verify
};

TEST_F(VerifyBlocks, AWrongCountIsFound) {
  auto found =
      after([&](auto& txn) { txn.put(db().index.counts, second(txn), std::string(8, '\1')); });
  EXPECT_GE(found.differences, 1u);
  EXPECT_NE(found.reports.front().find("product 42: "), std::string::npos);
}

TEST_F(VerifyBlocks, AMissingCountIsFound) {
  auto found = after([&](auto& txn) { txn.remove(db().index.counts, second(txn)); });
  EXPECT_GE(found.differences, 1u);
}

TEST_F(VerifyBlocks, ASuperfluousCountIsFound) {
  auto found = after([&](auto& txn) {
    auto key = bitmap_index::count_key(row(txn).number, rating_number, 77, 1, Ulid{});
    txn.put(db().index.counts, key, std::string(8, '\1'));
  });
  EXPECT_GE(found.differences, 1u);
}

// Readers and writers that meet a key or a count of wrong size get an error, or do not meet it.
TEST_F(VerifyBlocks, AKeyThatIsTooLongIsFound) {
  auto found = after([&](auto& txn) {
    std::string key = second(txn);
    txn.remove(db().index.counts, key);
    txn.put(db().index.counts, key + std::string(400, 'x'), std::string(8, '\1'));
  });
  EXPECT_GE(found.differences, 1u);
  auto view = store_->view();
  auto source = bitmaps_of(*view, "42").value().value();
  int refused = 0;
  for (std::uint64_t n = 0; n < comments_; n += 10) {
    try {
      (void)source.reader->nth(bitmap_index::every_id, 0, n);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  (void)wait(store_->insert(comment_at(9002, 1, "en", 2), {}));
}

// Writers that meet a damaged row get an error, and change nothing.
TEST_F(VerifyBlocks, AWriteIntoADamagedBlockIsRefused) {
  auto key = bitmap_index::block_key(row_number(), rating_number, Ulid{});
  EXPECT_GE(after([&](auto& txn) { txn.put(db().index.blocks, key, "?"); }).differences, 1u);
  auto before = verify(db());
  EXPECT_FALSE(wait(store_->insert(comment_at(1, 1, "en", 2), {})));
  EXPECT_TRUE(wait(store_->insert(comment_at(1, 1, "en", 2, "43"), {})));
  ASSERT_TRUE(wait(store_->remove(id_at(1, 1))));
  EXPECT_EQ(verify(db()).differences, before.differences);
}

}  // namespace
}  // namespace quire::embedded
