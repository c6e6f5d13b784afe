#include "page_cache/cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace quire::page_cache {
namespace {

TEST(FrequencySketch, CountsToFifteen) {
  FrequencySketch sketch(1024);
  EXPECT_EQ(sketch.estimate(1), 0u);
  for (unsigned n = 1; n <= 20; ++n) {
    sketch.add(1);
    EXPECT_EQ(sketch.estimate(1), std::min(n, 15u));
  }
  EXPECT_LE(sketch.bytes(), 16u * 1024);
}

// As a count-min sketch: never too low while nothing is halved, and seldom too high.
TEST(FrequencySketch, IsNeverTooLowAndSeldomTooHigh) {
  constexpr std::size_t entries = 4096;
  FrequencySketch sketch(entries);
  std::mt19937_64 random(1);
  std::map<std::uint64_t, unsigned> counts;
  std::vector<std::uint64_t> keys(entries);
  for (auto& key : keys) key = random();
  for (std::size_t i = 0; i < 2 * entries; ++i) {
    auto key = keys[std::min(random() % entries, random() % entries)];
    ++counts[key];
    sketch.add(key);
  }
  std::size_t too_high = 0;
  for (auto [key, count] : counts) {
    ASSERT_GE(sketch.estimate(key), std::min(count, 15u));
    too_high += sketch.estimate(key) > count;
  }
  EXPECT_LT(too_high, counts.size() / 50);
}

TEST(FrequencySketch, OldPopularityFades) {
  constexpr std::size_t entries = 64;
  FrequencySketch sketch(entries);
  for (int i = 0; i < 15; ++i) sketch.add(1);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < 40 * entries; ++i) sketch.add(random());
  EXPECT_LT(sketch.estimate(1), 15u);
}

}  // namespace
}  // namespace quire::page_cache
