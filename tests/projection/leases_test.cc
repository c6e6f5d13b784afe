// Workers share shards by leases, without a clock in common: a little world of them, in which a
// tick is a beat.
#include "projection/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "base/rounds.h"

namespace quire {
namespace {

using projection::Lease;
using projection::LeaseBook;
using projection::Leases;
using Names = std::vector<std::string>;
using Time = LeaseBook::Time;

constexpr std::chrono::seconds beat{5}, takeover_after{20};

Names shards(std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("s" + std::to_string(10 + i));
  return names;
}

class LeasesTest : public testing::Test {
 protected:
  LeaseBook& join(std::string owner) {
    return books_.emplace_back(std::move(owner), takeover_after);
  }

  // Makes the change, unless another worker was faster. Whether it did.
  bool put(LeaseBook& book, const LeaseBook::LeaseChange& change) {
    auto at = leases_.find(change.shard);
    auto is = at == leases_.end() ? std::nullopt : std::optional(at->second);
    if (is != change.before) {
      book.refused(change);
      return false;
    }
    if (change.after) leases_[change.shard] = *change.after;
    if (!change.after) leases_.erase(change.shard);
    book.granted(change);
    return true;
  }
  std::size_t look(LeaseBook& book) {
    auto changes = book.plan_changes(leases_, readable_, now_);
    for (const auto& change : changes) put(book, change);
    return changes.size();
  }
  void tick(std::vector<LeaseBook*> books, int times = 1) {
    for (; times > 0; --times) {
      now_ += beat;
      for (auto* book : books) look(*book);
    }
  }
  std::string owner(const std::string& shard) { return leases_[shard].owner; }
  // No shard has two; whoever has one holds it.
  void expect_shared(std::vector<LeaseBook*> books, std::vector<std::size_t> shares) {
    std::vector<std::size_t> held;
    std::set<std::string> all;
    for (auto* book : books) {
      held.push_back(book->held().size());
      all.insert(book->held().begin(), book->held().end());
    }
    EXPECT_EQ(held, shares);
    EXPECT_EQ(all, std::set<std::string>(readable_.begin(), readable_.end()));
  }

  Leases leases_;
  Names readable_ = shards(6);
  Time now_{};
  std::deque<LeaseBook> books_;
};

TEST_F(LeasesTest, ASingleWorkerTakesAllLeasesAtOnce) {
  auto& a = join("a");
  look(a);
  expect_shared({&a}, {6});
  for (const auto& [shard, lease] : leases_) EXPECT_EQ(lease, (Lease{"a", 1}));
  tick({&a});
  for (const auto& [shard, lease] : leases_) EXPECT_EQ(lease, (Lease{"a", 2})) << "it beats";
}

TEST_F(LeasesTest, TwoWorkersShareHalvesAndTakeOneLeaseAtATime) {
  auto &a = join("a"), &b = join("b");
  look(a);
  for (std::size_t has = 1; has <= 3; ++has) {
    tick({&a, &b});
    EXPECT_EQ(b.held().size(), has);
    tick({&a});  // which finds what it has lost
    EXPECT_EQ(a.held().size(), 6 - has);
  }
  tick({&a, &b}, 10);
  expect_shared({&a, &b}, {3, 3});
}

TEST_F(LeasesTest, ThreeShareThirds) {
  auto &a = join("a"), &b = join("b"), &c = join("c");
  tick({&a});
  tick({&a, &b, &c}, 12);
  expect_shared({&a, &b, &c}, {2, 2, 2});
  readable_ = shards(7);
  tick({&a, &b, &c}, 12);
  std::vector<std::size_t> held{a.held().size(), b.held().size(), c.held().size()};
  std::sort(held.begin(), held.end());
  EXPECT_EQ(held, (std::vector<std::size_t>{2, 2, 3}));
}

TEST_F(LeasesTest, AtOnceBegunTheyShareToo) {
  auto &a = join("a"), &b = join("b");
  // Both look before either puts.
  auto of_a = a.plan_changes(leases_, readable_, now_),
       of_b = b.plan_changes(leases_, readable_, now_);
  for (const auto& change : of_a) EXPECT_TRUE(put(a, change));
  for (const auto& change : of_b) EXPECT_FALSE(put(b, change));
  EXPECT_TRUE(b.held().empty());
  tick({&a, &b}, 8);
  expect_shared({&a, &b}, {3, 3});
}

TEST_F(LeasesTest, LeasesOfADeadWorkerAreTakenAfterThePatienceOnly) {
  auto &a = join("a"), &b = join("b");
  tick({&a, &b}, 12);
  expect_shared({&a, &b}, {3, 3});
  tick({&b}, takeover_after / beat - 1);
  EXPECT_EQ(b.held().size(), 3u);
  tick({&b}, 1);
  expect_shared({&b}, {6});
}

// A lease is as old as one has seen it, whatever its own clock says.
TEST_F(LeasesTest, ALaterWorkerWaitsAsLong) {
  auto& a = join("a");
  tick({&a});
  now_ += std::chrono::hours(1);
  auto& b = join("b");
  look(b);
  tick({&b}, takeover_after / beat - 1);
  EXPECT_EQ(b.held().size(), 3u) << "a share of what a living one seems to have, one at a time";
  tick({&b}, 1);
  expect_shared({&b}, {6});
}

TEST_F(LeasesTest, AReturningWorkerGetsItsShare) {
  auto &a = join("a"), &b = join("b");
  tick({&a, &b}, 12);
  tick({&b}, 10);
  expect_shared({&b}, {6});
  look(a);
  EXPECT_LE(a.held().size(), 1u) << "what it had is another's";
  tick({&a, &b}, 12);
  expect_shared({&a, &b}, {3, 3});
}

TEST_F(LeasesTest, FewerShardsThanWorkersLeaveSomeWithout) {
  readable_ = shards(2);
  auto &a = join("a"), &b = join("b"), &c = join("c");
  tick({&a, &b, &c}, 12);
  expect_shared({&a, &b, &c}, {1, 1, 0});
  (void)a.release_all();
  tick({&b, &c}, 12);
  expect_shared({&b, &c}, {1, 1});
}

TEST_F(LeasesTest, ThoseOfShardsThatAreDoneAreTakenAway) {
  auto &a = join("a"), &b = join("b");
  tick({&a, &b}, 12);
  readable_ = {"s10", "s15", "new"};
  tick({&a, &b}, 12);
  EXPECT_EQ(leases_.size(), 3u);
  EXPECT_EQ(a.held().size() + b.held().size(), 3u);
  readable_.clear();
  tick({&a, &b}, 1);
  EXPECT_TRUE(leases_.empty());
  tick({&a, &b}, 1);
  EXPECT_TRUE(a.held().empty());
  EXPECT_TRUE(b.held().empty());
}

TEST_F(LeasesTest, AFarewellFreesThemForOthersAtOnce) {
  auto &a = join("a"), &b = join("b");
  tick({&a, &b}, 12);
  for (const auto& change : a.release_all()) EXPECT_TRUE(put(a, change));
  EXPECT_TRUE(a.held().empty());
  EXPECT_TRUE(a.release_all().empty());
  tick({&b});
  expect_shared({&b}, {6});
}

// Nothing that another has done away with is kept in mind.
TEST_F(LeasesTest, AFarewellFreesOwnLeasesOnly) {
  auto &a = join("a"), &b = join("b");
  for (int round = 0; round < 50; ++round) {
    readable_ = {"s" + std::to_string(round)};
    look(a);
    readable_.clear();
    look(b);  // takes it away, for the shard is done
    look(a);
  }
  EXPECT_TRUE(a.release_all().empty());
  readable_ = {"last"};
  look(a);
  EXPECT_EQ(a.release_all().size(), 1u);
}

TEST_F(LeasesTest, ARefusedLeaseIsNotHeld) {
  auto& a = join("a");
  auto changes = a.plan_changes(leases_, readable_, now_);
  ASSERT_EQ(changes.size(), 6u);
  a.granted(changes[0]);
  for (std::size_t i = 1; i < changes.size(); ++i) a.refused(changes[i]);
  EXPECT_EQ(a.held(), std::set<std::string>{changes[0].shard});
  // An answer was lost: the lease is its own, and it finds out.
  leases_[changes[0].shard] = *changes[0].after;
  leases_[changes[1].shard] = *changes[1].after;
  tick({&a});
  expect_shared({&a}, {6});
}

// Whatever comes and goes, in the end all is shared, and nobody has two more than another.
TEST_F(LeasesTest, RandomHistoriesEndInFairShares) {
  for (std::uint64_t seed = 1; seed <= rounds(200u); ++seed) {
    std::mt19937_64 random(seed);
    leases_.clear();
    books_.clear();
    std::vector<LeaseBook*> alive;
    for (int step = 0; step < 60; ++step) {
      auto what = random() % 10;
      if (what == 0 || alive.empty()) {
        alive.push_back(&join("w" + std::to_string(books_.size())));
      } else if (what == 1 && alive.size() > 1) {
        alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(random() % alive.size()));
      } else if (what == 2) {
        readable_ = shards(random() % 12);
      }
      std::shuffle(alive.begin(), alive.end(), random);
      tick(alive);
    }
    tick(alive, 40);
    std::size_t least = readable_.size() / alive.size(), all = 0;
    for (auto* book : alive) {
      EXPECT_GE(book->held().size(), least) << seed;
      EXPECT_LE(book->held().size(), least + 1) << seed;
      all += book->held().size();
    }
    EXPECT_EQ(all, readable_.size()) << seed;
    EXPECT_EQ(leases_.size(), readable_.size()) << seed;
  }
}

}  // namespace
}  // namespace quire
