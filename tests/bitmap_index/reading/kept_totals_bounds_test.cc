// How much kept totals hold, and how much of a catch-up others wait for.
#include <gtest/gtest.h>

#include "bitmap_index/reading/answers.h"
#include "bitmap_index/reading/kept_totals.h"

namespace quire::bitmap_index {
namespace {

// Another process writes, and tells nothing.
TEST(KeptTotalsBounds, CountTheStartsOfBlocksThatTheyHoldOnce) {
  KeptTotals kept(1 << 20);
  constexpr std::size_t blocks = 1000, starts_bytes = blocks * sizeof(Ulid);
  auto many = [&](std::uint8_t last) {
    std::vector<Block> all(blocks, Block{{}, 9});
    for (std::size_t i = 0; i < blocks; ++i) {
      all[i].start.bytes[14] = static_cast<std::uint8_t>(i >> 8);
      all[i].start.bytes[15] = static_cast<std::uint8_t>(i);
    }
    all.back().start.bytes[0] = last;
    return Totals(starts_of(all), std::vector<std::uint32_t>(blocks, 9));
  };
  auto bytes_of = [&](Code code, std::uint64_t generation, std::uint8_t last) {
    Subject subject{{{{0, false, false, {code}}}}};
    auto before = kept.statistics().bytes;
    EXPECT_FALSE(kept.find(product, subject, generation));
    kept.keep(product, subject, generation, many(last));
    return kept.statistics().bytes - before;
  };
  EXPECT_GT(bytes_of(1, 5, 1), starts_bytes);
  EXPECT_LT(bytes_of(2, 6, 1), starts_bytes) << "they are the same";
  EXPECT_GT(bytes_of(3, 7, 2), starts_bytes) << "a block was parted";
  EXPECT_LT(bytes_of(4, 8, 2), starts_bytes);
}

TEST(KeptTotalsBounds, OfVeryManyValuesAreCountedAgainAfterManyChanges) {
  KeptTotals kept(1 << 20);
  Subject subject{.selection = {}, .facet = 0, .of = Subject::Of::values};
  ValueCounts counts;
  for (Code code = 1; code <= 10'000; ++code) counts.values.push_back({code, 1});
  auto found = [&](std::uint64_t generation) {
    return kept.find(product, subject, generation) != nullptr;
  };
  auto change = [&](std::uint64_t after) {
    Databases databases;
    databases.block_bits = 63;  // no id starts a block
    const std::vector<Value> red{{0, 1}};
    IdChange change{Ulid{}, {}, {}};
    (after % 2 ? change.before : change.after) = red;
    kept.changed(databases, product, after - 1, after, {change});
  };
  EXPECT_FALSE(found(5));
  kept.keep(product, subject, 5, counts);
  for (std::uint64_t generation = 6; generation <= 505; ++generation) {
    change(generation);
    if (generation == 105) {
      EXPECT_TRUE(found(105));
    }
  }
  EXPECT_TRUE(found(505)) << "400 changes of 10,000 values";
  for (std::uint64_t generation = 506; generation <= 1005; ++generation) change(generation);
  EXPECT_FALSE(found(1005)) << "500 changes";
}

}  // namespace
}  // namespace quire::bitmap_index
