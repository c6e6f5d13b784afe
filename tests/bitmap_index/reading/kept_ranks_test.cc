#include "bitmap_index/reading/kept_totals.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

#include "bitmap_index/plain.h"

namespace quire::bitmap_index {
namespace {

void keep(KeptRanks& ranks, const KeptRanks::From& from, std::uint64_t ahead) {
  ranks.keep(std::array{KeptRanks::Entry{from, ahead}});
}

constexpr auto down = Order::newest_first, up = Order::oldest_first;

TEST(KeptRanks, BelongToTheirProductOrderAndGeneration) {
  KeptRanks ranks;
  Ulid id = Ulid::make(1, {2, 3});
  EXPECT_FALSE(ranks.find({}));
  keep(ranks, {id, down, 7, 5}, 42);
  EXPECT_EQ(ranks.find({id, down, 7, 5}), 42u);
  EXPECT_FALSE(ranks.find({id, up, 7, 5}));
  EXPECT_FALSE(ranks.find({id, down, 7, 6}));
  EXPECT_FALSE(ranks.find({id, down, 8, 5}));
  EXPECT_FALSE(ranks.find({id.next(), down, 7, 5}));
  keep(ranks, {id, down, 7, 6}, 43);
  EXPECT_EQ(ranks.find({id, down, 7, 6}), 43u);
  EXPECT_FALSE(ranks.find({id, down, 7, 5}));
}

TEST(KeptRanks, AreAsTheyWereKeptOrGone) {
  KeptRanks ranks;
  std::mt19937_64 random(1);
  std::map<Ulid, std::uint64_t> all;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    auto id = random_ulid(random);
    keep(ranks, {id, up, 1, 1}, i);
    all[id] = i;
  }
  std::size_t found = 0;
  for (const auto& [id, ahead] : all) {
    auto kept = ranks.find({id, up, 1, 1});
    if (kept) {
      EXPECT_EQ(kept, ahead);
    }
    found += kept.has_value();
  }
  EXPECT_GT(found, 3000u);
}

TEST(KeptRanks, GoWhereEverythingMayHaveChanged) {
  KeptRanks ranks;
  keep(ranks, {{}, down, 7, 5}, 42);
  ranks.clear();
  EXPECT_FALSE(ranks.find({{}, down, 7, 5}));
}

}  // namespace
}  // namespace quire::bitmap_index
