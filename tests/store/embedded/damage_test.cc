// Damaged data affects only the requests that need it.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "listing/bitmap/indexed.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class DamagedStore : public testing::Test {
 protected:
  DamagedStore() : store_(LmdbStore::open(directory_.path(), Access::write).value()) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      Comment comment = comment_at(1000 + i, i, i % 2 ? "en" : "de", static_cast<int>(i % 5) + 1);
      EXPECT_TRUE(wait(store_->insert(comment, {})));
    }
    EXPECT_TRUE(wait(store_->insert(comment_at(5000, 1, "en", 5, "43"), {})));
  }

  const Databases& db() const { return store_->databases(); }
  double met() const { return store_->metrics().front().value; }

  // Flips one bit of the value under a key.
  void damage(const lmdb::Sealed& database, std::string_view key) {
    lmdb::WriteTransaction txn(*db().environment);
    std::string bytes(txn.find(database.dbi, key).value());
    bytes[bytes.size() / 2] ^= 1;
    txn.put(database.dbi, key, bytes);
    txn.commit();
  }
  void damage_comment(std::uint64_t number) { damage(db().comments, key_of(number)); }
  std::string key_of(std::uint64_t number) {
    lmdb::ReadTransaction txn(*db().environment);
    auto row = decode_product(txn.find(db().products, "42").value());
    return std::string(comment_key(row.number, id_at(1000 + number, number)));
  }

  // Reads all pages by their cursors, forward and back.
  std::vector<Ulid> walk(Query query) {
    std::vector<Ulid> there, back;
    query.product = "42";
    for (std::optional<std::string> last;;) {
      auto page = wait(comments_.page(query));
      if (!page) {
        ADD_FAILURE() << page.error().message;
        return there;
      }
      for (const auto& row : page->rows) there.push_back(row.id);
      if (page->next) {
        query.after = page->next;
        continue;
      }
      query.after = {};
      for (query.before = page->previous; query.before;) {
        page = wait(comments_.page(query));
        if (!page) {
          ADD_FAILURE() << page.error().message;
          return there;
        }
        std::vector<Ulid> ids;
        for (const auto& row : page->rows) ids.push_back(row.id);
        back.insert(back.begin(), ids.begin(), ids.end());
        query.before = page->previous;
      }
      EXPECT_TRUE(back.size() <= there.size() &&
                  std::equal(back.begin(), back.end(), there.begin()));
      return there;
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  Comments comments_{*store_, bitmap::listings(), Seal({Seal::Key{1, 2, 3}})};
};

TEST_F(DamagedStore, LeavesDamagedCommentsOutOfPagesAndWalksPastThem) {
  std::set<std::uint64_t> damaged = {0, 7, 19, 20, 21, 22, 23, 24, 25, 49};
  for (auto number : damaged) damage_comment(number);
  for (auto sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
    for (std::size_t limit : {1, 3, 100}) {
      std::set<Ulid> seen;
      auto walked = walk({.product = "42", .limit = limit, .sort = sort});
      for (const auto& id : walked) seen.insert(id);
      EXPECT_EQ(walked.size(), 40u);
      EXPECT_EQ(seen.size(), 40u);
      for (auto number : damaged) EXPECT_FALSE(seen.contains(id_at(1000 + number, number)));
    }
    EXPECT_EQ(walk({.product = "42", .ratings = {1, 3, 5}, .limit = 4, .sort = sort}).size(), 22u);
    EXPECT_EQ(walk({.product = "42", .languages = {"en"}, .limit = 4, .sort = sort}).size(), 19u);
  }
  EXPECT_GT(met(), 0);
  auto page = wait(comments_.page({.product = "42", .limit = 20, .page = 3})).value();
  EXPECT_EQ(page.total, 50u) << "a damaged comment stays counted, so pages keep their numbers";
  auto verified = verify(db());
  EXPECT_EQ(verified.differences >= damaged.size(), true);
}

TEST_F(DamagedStore, AQueueCountsTheCommentsThatItLeavesOut) {
  for (std::uint64_t i = 0; i < 5; ++i) {
    auto comment = comment_at(2000 + i, i, "en", 5);
    comment.moderation = held({}, "links", 4000);
    ASSERT_TRUE(wait(store_->insert(comment, {})));
  }
  for (std::uint64_t i : {1, 4}) damage(db().pending, id_at(2000 + i, i).view());
  for (std::string product : {"", "42"}) {
    auto page = wait(store_->view()->moderation()->queue({.product = product})).value();
    EXPECT_EQ(page.rows.size(), 3u);
    EXPECT_EQ(page.damaged, 2u);
  }
}

TEST_F(DamagedStore, ARequestForADamagedCommentFails) {
  damage_comment(7);
  for (int i = 0; i < 2; ++i) {
    auto got = wait(comments_.get(id_at(1007, 7)));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::damaged);
    EXPECT_NE(got.error().message.find("is damaged: run quire verify"), std::string::npos);
    EXPECT_FALSE(wait(comments_.page_of(id_at(1007, 7), {.product = "42", .limit = 20})));
    damage(db().ids, id_at(1007, 7).view());
  }
  EXPECT_TRUE(wait(comments_.get(id_at(1008, 8))));
  EXPECT_TRUE(wait(comments_.remove(id_at(1008, 8))));
  EXPECT_GE(met(), 2);
}

// Its rows in the index cannot be found without its values.
TEST_F(DamagedStore, ADamagedCommentIsKeptUntilARepair) {
  damage_comment(7);
  auto removed = wait(store_->remove(id_at(1007, 7)));
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, ErrorCode::damaged);
  EXPECT_NE(removed.error().message.find("is damaged: run quire verify"), std::string::npos);
  EXPECT_EQ(wait(comments_.page({.product = "42"})).value().total, 50u);
  EXPECT_EQ(wait(store_->rebuild()).value().set_aside.size(), 1u);
  EXPECT_EQ(wait(comments_.page({.product = "42"})).value().total, 49u);
  EXPECT_EQ(wait(store_->remove(id_at(1007, 7))).error().code, ErrorCode::not_found);
}

TEST_F(DamagedStore, StatisticsShowTheNewestWholeComment) {
  damage_comment(49);
  damage_comment(48);
  auto found = wait(comments_.statistics({.product = "42"})).value();
  EXPECT_EQ(decode_document(found.latest)->id, id_at(1047, 47));
}

TEST_F(DamagedStore, ADamagedProductRowAffectsOnlyThatProduct) {
  damage(db().products, "42");
  EXPECT_EQ(wait(comments_.page({.product = "42"})).error().code, ErrorCode::damaged);
  EXPECT_EQ(wait(comments_.page({.product = "43"}))->rows.size(), 1u);
  auto products = wait(comments_.products("", 10)).value();
  ASSERT_EQ(products.size(), 1u);
  EXPECT_EQ(products.front().product, "43");
  EXPECT_EQ(wait(comments_.leaderboard(Leaders::five_star, "", 10))->leaders.size(), 1u);
}

// Runs many writes at once, so that they are committed in groups.
TEST_F(DamagedStore, OnlyTheWritesOfAGroupFailThatMeetDamage) {
  damage(db().products, "42");
  boost::asio::io_context context;
  int written = 0, refused = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    auto product = i % 10 == 0 ? "42" : "43";
    boost::asio::co_spawn(
        context,
        [&, comment = comment_at(9000 + i, i, "en", 4, product)]() -> Awaitable<void> {
          bool whole = comment.product == "43";
          auto answer = co_await store_->insert(comment, {});
          EXPECT_EQ(static_cast<bool>(answer), whole);
          ++(answer ? written : refused);
        },
        boost::asio::detached);
  }
  context.run();
  EXPECT_EQ(written, 180);
  EXPECT_EQ(refused, 20);
  EXPECT_EQ(wait(comments_.page({.product = "43"}))->total, 181u);
}

TEST_F(DamagedStore, ARetriedBatchIsWhole) {
  damage(db().products, "42");
  boost::asio::io_context context;
  std::vector<Comment> batch;
  for (std::uint64_t i = 0; i < 100; ++i) batch.push_back(comment_at(9000 + i, i, "en", 4, "43"));
  int added = 0;
  for (int turn = 0; turn < 20; ++turn) {
    boost::asio::co_spawn(
        context,
        [&, turn]() -> Awaitable<void> {
          if (turn % 2 == 0)
            EXPECT_FALSE(co_await store_->insert(comment_at(1, 1, "en", 4), {}));
          else
            added += static_cast<int>((co_await store_->insert_many(batch)).value());
        },
        boost::asio::detached);
  }
  context.run();
  EXPECT_EQ(added, 100);
  EXPECT_EQ(wait(comments_.page({.product = "43"}))->total, 101u);
}

// Otherwise no request with a key would be answered any more.
TEST_F(DamagedStore, AnExpiredRequestKeyThatIsDamagedIsForgotten) {
  constexpr std::uint64_t day_ms = 24 * 3'600'000;
  RequestKey first{{1}, {1}, 5000}, second{{2}, {1}, 5000 + day_ms};
  ASSERT_TRUE(wait(store_->insert(comment_at(6000, 1, "en", 5), first)));
  damage(db().once, {reinterpret_cast<const char*>(first.key.data()), first.key.size()});
  ASSERT_TRUE(wait(store_->insert(comment_at(6001, 1, "en", 5), second)));
  EXPECT_GT(verify(db()).differences, 0u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(verify(db()).differences, 0u);
}

TEST_F(DamagedStore, RepairSetsDamagedCommentsAside) {
  damage_comment(7);
  damage(db().products, "42");
  damage(db().meta, "next_product");
  EXPECT_GT(verify(db()).differences, 0u);
  auto rebuilt = wait(store_->rebuild()).value();
  EXPECT_EQ(rebuilt.set_aside, std::vector{id_at(1007, 7).text()});
  EXPECT_EQ(verify(db()).differences, 0u);
  EXPECT_EQ(walk({.product = "42", .limit = 7}).size(), 49u);
}

}  // namespace
}  // namespace quire::embedded
