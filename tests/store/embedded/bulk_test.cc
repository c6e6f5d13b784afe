// Inserting many comments at once, and how well that fills pages.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "loop/loop.h"
#include "model/document.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Bulk : public testing::Test {
 protected:
  Bulk() : store_(LmdbStore::open(directory_.path(), Access::write).value()) {}

  void insert(std::vector<Comment> batch, std::size_t added) {
    auto inserted = wait(store_->insert_many(std::move(batch)));
    ASSERT_TRUE(inserted) << inserted.error().message;
    EXPECT_EQ(*inserted, added);
  }

  // All comments of a product, as the store has them.
  std::vector<Comment> comments(const std::string& product) {
    auto view = store_->view();
    auto slice = wait(view->comments(product, Order::oldest_first, {}, 1'000'000));
    std::vector<Comment> found;
    for (const auto& entry : slice->entries) found.push_back(*decode_document(entry.document));
    return found;
  }

  void expect_no_difference() {
    auto verified = verify(store_->databases());
    EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  }

  // The part of the documents' pages that has entries.
  double fill() {
    const auto& db = store_->databases();
    lmdb::ReadTransaction txn(*db.environment);
    MDB_stat stat{};
    lmdb::check("reading", mdb_stat(txn.get(), db.comments.dbi, &stat));
    lmdb::Cursor cursor(txn.get(), db.comments.dbi);
    double bytes = 0;
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
      bytes += static_cast<double>(10 + cursor.key().size() + cursor.value().size());
    return bytes / static_cast<double>(stat.ms_leaf_pages * stat.ms_psize);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
};

// Texts of all sizes, also such as take pages of their own.
TEST_F(Bulk, InsertsEachCommentOnce) {
  std::mt19937 random(3);
  std::map<std::string, std::map<Ulid, Comment>> model;
  for (int round = 0; round < 40; ++round) {
    std::vector<Comment> batch;
    std::size_t fresh = 0;
    auto begin = random() % 3 ? 1000u * static_cast<unsigned>(round) : random() % 40'000;
    for (auto i = random() % 400; i-- > 0;) {
      auto product =
          random() % (round % 2 ? 40 : 4);  // a part of the id: it belongs to one product
      auto comment = comment_at(begin + random() % 1000, product, "en",
                                static_cast<int>(1 + random() % 5), "p" + std::to_string(product));
      comment.text = std::string(random() % 50 == 0 ? 1000 + random() % 9000 : random() % 300, 'x');
      fresh += model[comment.product].emplace(comment.id, comment).second;
      batch.push_back(comment);
    }
    insert(batch, fresh);
  }
  for (const auto& [product, expected] : model) {
    auto found = comments(product);
    ASSERT_EQ(found.size(), expected.size()) << product;
    for (const auto& comment : found) EXPECT_TRUE(expected.contains(comment.id));
  }
  expect_no_difference();
}

TEST_F(Bulk, StoresTheFirstOfEqualIds) {
  std::vector<Comment> batch;  // long enough for std::sort to change the order of equals
  for (std::uint64_t i = 0; i < 300; ++i) {
    batch.push_back(comment_at(i % 100, i % 100, "en", 5));
    batch.back().text = i < 100 ? "first" : "later";
  }
  insert(batch, 100);
  for (const auto& comment : comments("42")) EXPECT_EQ(comment.text, "first");
  expect_no_difference();
}

// Without care, LMDB leaves half of each page empty before the first comment of the next product.
TEST_F(Bulk, FillsPagesThoughProductsGrowByTurns) {
  std::uint64_t number = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<Comment> batch;
    for (int i = 0; i < 1000; ++i, ++number) {
      batch.push_back(comment_at(number, number, "en", 5, "p" + std::to_string(number % 25)));
      batch.back().text = std::string(200 + number * 7 % 100, 'x');
    }
    insert(batch, 1000);
  }
  EXPECT_GT(fill(), 0.83);
  expect_no_difference();
}

// The ids say that the comment is new, and the documents have it already.
TEST_F(Bulk, SaysThatTheIdsAreDamaged) {
  std::vector<Comment> batch;
  for (std::uint64_t i = 0; i < 20; ++i) batch.push_back(comment_at(i, i, "en", 5));
  insert(batch, 20);
  for (std::size_t lost : {0, 7, 19}) {
    {
      lmdb::WriteTransaction txn(*store_->databases().environment);
      ASSERT_TRUE(txn.remove(store_->databases().ids, batch[lost].id.view()));
      txn.commit();
    }
    auto refused = wait(store_->insert_many(batch));
    ASSERT_FALSE(refused) << lost;
    EXPECT_NE(refused.error().message.find("quire verify --repair"), std::string::npos)
        << refused.error().message;
    ASSERT_TRUE(wait(store_->rebuild()));
    insert(batch, 0);
    expect_no_difference();
  }
}

}  // namespace
}  // namespace quire::embedded
