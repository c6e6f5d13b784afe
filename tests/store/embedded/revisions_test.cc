// Which comments of a product were changed last: published late, edited or replied to.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/clock.h"
#include "lmdb/sealed.h"
#include "loop/loop.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Revisions : public testing::Test {
 protected:
  Comment one(std::uint64_t number, CommentStatus status = CommentStatus::published) {
    auto comment = comment_at(1000 + number, number, "en", 5, "p");
    comment.moderation.status = status;
    return comment;
  }
  void insert(const Comment& comment) { ASSERT_TRUE(wait(store_->insert(comment, {}))); }
  void insert(std::uint64_t from, std::uint64_t to) {
    for (auto number = from; number <= to; ++number) insert(one(number));
  }
  void edit(std::uint64_t number, const std::string& title) {
    ASSERT_TRUE(wait(store_->update(one(number).id, {.title = title})));
  }
  void decide(std::uint64_t number, CommentStatus status) {
    Patch patch{.status = status};
    auto moderate = [status](const Comment&, Comment& after) -> Status {
      after.moderation = {.status = status};
      return Done{};
    };
    ASSERT_TRUE(wait(store_->update(one(number).id, patch, {}, moderate)));
  }
  std::vector<Revision> found(std::optional<std::string> product = "p") {
    auto view = store_->view();
    return wait(view->event_log()->revisions(product)).value();
  }
  // By number, the latest first.
  std::vector<std::uint64_t> latest() {
    std::vector<std::uint64_t> numbers;
    for (const auto& each : found()) numbers.push_back(each.id.ms() - 1000);
    return numbers;
  }
  using Numbers = std::vector<std::uint64_t>;

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_ = LmdbStore::open(directory_.path(), Access::write).value();
};

TEST_F(Revisions, AreNoneOfCommentsThatAreAsTheyCame) {
  insert(1, 3);
  insert(one(4, CommentStatus::pending));
  EXPECT_EQ(latest(), Numbers{});
  EXPECT_EQ(found("unknown"), std::vector<Revision>{});
}

TEST_F(Revisions, AreOfWhatReadersSee) {
  insert(1, 5);
  auto before = system_ms();
  edit(2, "New");
  ASSERT_TRUE(wait(store_->update(one(1).id, {.reply = Reply{.text = "Thanks"}})));
  EXPECT_EQ(latest(), (Numbers{1, 2}));
  EXPECT_GE(found().front().at_ms, before);
  EXPECT_LE(found().front().at_ms, system_ms());
  edit(2, "Newer");
  EXPECT_EQ(latest(), (Numbers{2, 1})) << "each once";

  edit(3, one(3).title);
  ASSERT_TRUE(wait(store_->update(one(4).id, {.note = "asked"})));
  CustomerHash customer{};
  ASSERT_TRUE(wait(store_->votes()->vote(one(5).id, customer, Vote::helpful)));
  EXPECT_EQ(latest(), (Numbers{2, 1})) << "the same title, a note and a vote are no changes";
}

TEST_F(Revisions, AreOfCommentsThatWerePublishedLateAndStillAre) {
  insert(one(1, CommentStatus::pending));
  insert(2, 30);
  edit(1, "Edited while it waits");
  EXPECT_EQ(latest(), Numbers{});
  decide(1, CommentStatus::published);
  EXPECT_EQ(latest(), Numbers{1});
  decide(1, CommentStatus::pending);
  EXPECT_EQ(latest(), Numbers{});
  decide(1, CommentStatus::published);
  edit(2, "New");
  ASSERT_TRUE(wait(store_->remove(one(2).id)));
  EXPECT_EQ(latest(), Numbers{1});
}

TEST_F(Revisions, GoWithAProductThatMoves) {
  insert(1, 3);
  auto other = comment_at(1020, 20, "en", 5, "other");
  insert(other);
  edit(1, "New");
  ASSERT_TRUE(wait(store_->update(other.id, {.title = "New"})));
  edit(2, "New");
  auto before = found(std::nullopt);
  ASSERT_EQ(before.size(), 3u);
  ASSERT_TRUE(wait(store_->move("p", "other")));
  EXPECT_EQ(found("p"), std::vector<Revision>{});
  auto times = [](std::vector<Revision> all) {
    std::vector<std::uint64_t> out;
    for (const auto& each : all) out.push_back(each.at_ms);
    return out;
  };
  EXPECT_EQ(times(found("other")), times(before));
  EXPECT_EQ(times(found(std::nullopt)), times(before));
  for (const auto& each : before) {
    auto after = found("other");
    EXPECT_NE(std::find(after.begin(), after.end(), each), after.end());
  }
}

TEST_F(Revisions, AreTheTwentyLatest) {
  insert(1, 30);
  Numbers wanted;
  for (std::uint64_t number = 1; number <= 30; ++number) {
    edit(number, "New");
    wanted.insert(wanted.begin(), number);
  }
  wanted.resize(max_revisions);
  EXPECT_EQ(latest(), wanted);
}

TEST_F(Revisions, OfAllProductsAreTheTwentyLatestOfThem) {
  insert(1, 19);
  auto other = comment_at(1020, 20, "en", 5, "other"), third = comment_at(1021, 21, "en", 5, "p");
  insert(other);
  insert(third);
  for (std::uint64_t number = 1; number <= 19; ++number) edit(number, "New");
  ASSERT_TRUE(wait(store_->update(other.id, {.title = "New"})));
  ASSERT_TRUE(wait(store_->update(third.id, {.title = "New"})));
  auto all = found(std::nullopt);
  ASSERT_EQ(all.size(), max_revisions);
  EXPECT_EQ(all[0].id, third.id);
  EXPECT_EQ(all[1].id, other.id);
  EXPECT_EQ(all.back().id, one(2).id);
  ASSERT_TRUE(wait(store_->remove(other.id)));
  EXPECT_EQ(found(std::nullopt).size(), max_revisions - 1);
  EXPECT_EQ(found("other"), std::vector<Revision>{});
}

TEST_F(Revisions, OutlastTheProcessAndARepair) {
  insert(1, 3);
  edit(2, "New");
  auto before = found();
  store_.reset();
  store_ = LmdbStore::open(directory_.path(), Access::write).value();
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(found(), before);
}

TEST_F(Revisions, ThatAreDamagedAreToldAndStopNoWrite) {
  insert(1, 3);
  edit(2, "New");
  const auto& db = store_->databases();
  {
    lmdb::WriteTransaction txn(*db.environment);
    auto number = decode_product(txn.find(db.products, "p").value()).number;
    txn.put(db.revisions.dbi, number_value(number), std::string(28, 'x'));
    txn.commit();
  }
  EXPECT_EQ(latest(), Numbers{});
  auto told = verify(store_->databases()).reports;
  EXPECT_EQ(told, std::vector<std::string>{"the times at which comments were changed are damaged"});
  edit(3, "New");
  EXPECT_EQ(latest(), Numbers{3});
  EXPECT_EQ(verify(store_->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire::embedded
