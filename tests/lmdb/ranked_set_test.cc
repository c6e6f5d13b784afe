// Compares ranked sets with a sorted vector. The stored bytes must depend on the set alone.
#include "lmdb/ranked_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

constexpr List list = 7;

Ulid id_of(std::uint64_t number) {
  std::array<std::uint8_t, 10> entropy{};
  for (int i = 9; i >= 2; --i, number >>= 8) entropy[i] = static_cast<std::uint8_t>(number);
  return Ulid::make(1000, entropy);
}

class RankedSet : public testing::Test {
 protected:
  RankedSet() {
    WriteTransaction txn(environment_);
    dbi_ = txn.open("lists");
    other_ = txn.open("others");
    // Neighbour sets, which must neither change nor count.
    for (List neighbour : {list - 1, list + 1}) {
      std::vector<RankedChange> changes;
      for (std::uint64_t i = 0; i < 100; ++i) changes.push_back({id_of(i), true});
      apply(txn, dbi_, neighbour, changes);
      apply(txn, other_, neighbour, changes);
    }
    txn.commit();
  }

  void change(MDB_dbi dbi, std::vector<RankedChange> changes) {
    std::sort(changes.begin(), changes.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    WriteTransaction txn(environment_);
    apply(txn, dbi, list, changes);
    txn.commit();
  }

  void build(MDB_dbi dbi, const std::set<Ulid>& ids) {
    std::vector<RankedChange> changes;
    for (const auto& id : ids) changes.push_back({id, true});
    change(dbi, changes);
  }

  std::map<std::string, std::string> bytes(MDB_dbi dbi) {
    std::map<std::string, std::string> out;
    ReadTransaction txn(environment_);
    Cursor cursor(txn.get(), dbi);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
      out.emplace(cursor.key(), cursor.value());
    return out;
  }

  void empty_again(MDB_dbi dbi) {
    std::vector<RankedChange> changes;
    {
      ReadTransaction txn(environment_);
      for (auto id : RankedReader(txn.get(), dbi).slice(list, 0, 1'000'000))
        changes.push_back({id, false});
    }
    change(dbi, changes);
  }

  void compare(const std::set<Ulid>& ids, std::size_t step) {
    std::vector<Ulid> sorted(ids.begin(), ids.end());
    ReadTransaction txn(environment_);
    RankedReader reader(txn.get(), dbi_);
    ASSERT_EQ(reader.length(list), sorted.size());
    EXPECT_FALSE(reader.nth(list, sorted.size()));
    EXPECT_FALSE(reader.nth(list, sorted.size() + 1'000'000));
    EXPECT_EQ(reader.rank(list, Ulid{}), 0u);
    for (std::size_t i = 0; i < sorted.size(); i += step) {
      EXPECT_EQ(reader.nth(list, i), sorted[i]);
      EXPECT_EQ(reader.rank(list, sorted[i]), i);
      EXPECT_EQ(reader.rank(list, sorted[i].next()), i + 1);
    }
  }

  TemporaryDirectory directory_;
  Environment environment_{{.directory = directory_.path()}};
  MDB_dbi dbi_ = 0, other_ = 0;
  std::mt19937_64 random_{20240607};
};

TEST_F(RankedSet, AnEmptySetHasNothing) {
  compare({}, 1);
  change(dbi_, {});
  compare({}, 1);
}

TEST_F(RankedSet, OneIdOfThirtyTwoReachesTheNextLevel) {
  std::array<int, 4> reached{};
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    int level = level_of(id_of(i));
    for (int at = 0; at < 4 && at <= level; ++at) ++reached[at];
  }
  EXPECT_NEAR(reached[1], 200'000 / 32, 400);
  EXPECT_NEAR(reached[2], 200'000 / 1024, 60);
  EXPECT_NEAR(reached[3], 200'000 / 32768, 7);
}

// Reaches every subset of ids on low and high levels by single inserts and erases.
TEST_F(RankedSet, EverySmallSetIsExactWhateverItsHistory) {
  std::vector<Ulid> ids;
  std::array<std::size_t, 4> wanted{2, 2, 2, 1};  // how many ids of each level
  for (std::uint64_t i = 0; ids.size() < 7; ++i) {
    auto level = static_cast<std::size_t>(level_of(id_of(i)));
    if (level < wanted.size() && wanted[level] > 0) {
      --wanted[level];
      ids.push_back(id_of(i));
    }
  }
  std::set<Ulid> now;
  for (unsigned step = 1; step < 1u << ids.size(); ++step) {
    unsigned gray = step ^ (step >> 1), before = (step - 1) ^ ((step - 1) >> 1);
    auto flipped = static_cast<std::size_t>(__builtin_ctz(gray ^ before));
    bool insert = gray >> flipped & 1;
    change(dbi_, {{ids[flipped], insert}});
    if (insert) now.insert(ids[flipped]);
    if (!insert) now.erase(ids[flipped]);
    compare(now, 1);
    build(other_, now);
    ASSERT_EQ(bytes(dbi_), bytes(other_)) << step;
    empty_again(other_);
  }
}

TEST_F(RankedSet, RandomBatchesEqualTheSortedVectorAndTheBulkBuiltSet) {
  std::set<Ulid> now;
  std::set<Ulid> nothing;
  for (int round = 0; round < 40; ++round) {
    std::map<Ulid, bool> changes;
    std::size_t size = 1 + random_() % (round % 4 == 0 ? 3000 : 5);
    for (std::size_t i = 0; i < size; ++i) {
      Ulid id = id_of(random_() % 6000);
      changes[id] = !now.contains(id);
    }
    std::vector<RankedChange> batch;
    for (auto [id, insert] : changes) {
      batch.push_back({id, insert});
      if (insert) now.insert(id);
      if (!insert) now.erase(id);
    }
    change(dbi_, batch);
    compare(now, 37);
    if (round % 5 == 4) {
      build(other_, now);
      ASSERT_EQ(bytes(dbi_), bytes(other_));
      empty_again(other_);
    }
  }
  empty_again(dbi_);
  EXPECT_EQ(bytes(dbi_), bytes(other_));
}

TEST_F(RankedSet, ALargeSetIsExactAtEveryDepth) {
  std::set<Ulid> ids;
  while (ids.size() < 120'000) ids.insert(id_of(random_()));
  build(dbi_, ids);
  compare(ids, 173);
}

// Lists that grow in batches, between other lists, keep their pages full.
TEST_F(RankedSet, BatchesAtTheEndLeavePagesFull) {
  std::set<Ulid> ids;
  for (std::uint64_t batch = 0; batch < 5; ++batch) {
    std::vector<RankedChange> changes;
    for (std::uint64_t i = 0; i < 8000; ++i) changes.push_back({id_of(batch * 8000 + i), true});
    for (const auto& each : changes) ids.insert(each.id);
    change(dbi_, changes);
  }
  compare(ids, 97);
  build(other_, ids);
  EXPECT_EQ(bytes(dbi_), bytes(other_));
  ReadTransaction txn(environment_);
  MDB_stat stat{};
  ASSERT_EQ(mdb_stat(txn.get(), dbi_, &stat), MDB_SUCCESS);
  EXPECT_LT(static_cast<double>(stat.ms_leaf_pages * stat.ms_psize) / 40'000, 38);
}

TEST_F(RankedSet, ASliceEndsWithTheSet) {
  std::set<Ulid> ids;
  for (std::uint64_t i = 0; i < 100; ++i) ids.insert(id_of(i));
  build(dbi_, ids);
  ReadTransaction txn(environment_);
  RankedReader reader(txn.get(), dbi_);
  EXPECT_EQ(reader.slice(list, 0, 1000).size(), 100u);
  EXPECT_EQ(reader.slice(list, 90, 20).size(), 10u);
  EXPECT_EQ(reader.slice(list, 90, 5),
            (std::vector<Ulid>{id_of(90), id_of(91), id_of(92), id_of(93), id_of(94)}));
  EXPECT_TRUE(reader.slice(list, 100, 5).empty());
  EXPECT_TRUE(reader.slice(list, 5, 0).empty());
}

}  // namespace
}  // namespace quire::lmdb
