#include "page_cache/cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <thread>

namespace quire::page_cache {
namespace {

Kept text(const std::string& value) {
  return std::make_shared<const std::string>(value);
}
std::string text(const Kept& kept) {
  return kept ? *std::static_pointer_cast<const std::string>(kept) : "";
}

TEST(Cache, GivesWhatWasKeptLast) {
  Cache cache(1 << 20);
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_EQ(cache.keep("a", text("1"), 100), 0u);
  EXPECT_EQ(text(cache.find("a")), "1");
  cache.keep("a", text("2"), 5000);
  EXPECT_EQ(text(cache.find("a")), "2");
  EXPECT_EQ(cache.find("b"), nullptr);
}

TEST(Cache, AReaderKeepsItsValueWhenAnotherComes) {
  Cache cache(1 << 20);
  cache.keep("a", text("1"), 100);
  auto found = cache.find("a");
  cache.keep("a", text("2"), 100);
  EXPECT_EQ(text(found), "1");
}

TEST(Cache, AVeryLargeValueIsNotKept) {
  Cache cache(1 << 20);
  EXPECT_FALSE(cache.admits("a", 1 << 19));
  cache.keep("a", text("1"), 100);
  cache.keep("a", text("2"), 1 << 19);
  EXPECT_EQ(cache.find("a"), nullptr) << "nor is the older one";
  Cache nothing(1);
  nothing.keep("a", text("1"), 0);
  EXPECT_EQ(nothing.find("a"), nullptr);
}

// Random finds, keeps and replacements against a map: whatever is found is what was kept last, and
// the bytes are never more than allowed.
TEST(Cache, IsBoundedInBytesAndMixesNothingUp) {
  for (std::size_t max : {100'000u, 1u << 20, 16u << 20}) {
    Cache cache(max);
    std::mt19937 random(1);
    std::map<std::string, std::string> kept;
    for (int i = 0; i < 30'000; ++i) {
      auto key = std::to_string(random() % 3000);
      if (random() % 2) {
        auto found = cache.find(key);
        if (found) {
          ASSERT_EQ(text(found), kept[key]);
        }
        continue;
      }
      kept[key] = std::to_string(i);
      cache.keep(key, text(kept[key]), random() % 20'000);
      ASSERT_LE(cache.bytes(), max);
    }
  }
}

// Requests by Zipf's law; then a crawler asks for a hundred thousand addresses once each, in
// between. The share of hits among the others falls by little; with LRU it would fall to a third.
TEST(Cache, AWalkOfKeysAskedOnceLeavesTheHotOnes) {
  Cache cache(4 << 20);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform;
  auto ask = [&](const std::string& key) {
    if (cache.find(key)) return true;
    if (cache.admits(key, 4096)) cache.keep(key, text(key), 4096);
    return false;
  };
  auto hits_of = [&](int requests, int crawled) {
    int hits = 0, next = 0;
    for (int i = 0; i < requests; ++i) {
      auto product = static_cast<int>(std::pow(10'000, uniform(random)));
      hits += ask("hot " + std::to_string(product));
      for (int j = 0; j < crawled; ++j) ask("walk " + std::to_string(next++));
    }
    return static_cast<double>(hits) / requests;
  };
  hits_of(30'000, 0);
  double before = hits_of(10'000, 0), during = hits_of(10'000, 10);
  EXPECT_GT(before, 0.6);
  EXPECT_GT(during, 0.9 * before);
}

TEST(Cache, WhatBecomesHotIsKept) {
  Cache cache(1 << 20);
  auto ask = [&](const std::string& key) {
    if (cache.find(key)) return true;
    cache.keep(key, text(key), 4096);
    return false;
  };
  for (int round = 0; round < 4; ++round)
    for (int i = 0; i < 200; ++i) ask("old " + std::to_string(i));
  int hits = 0;
  for (int i = 0; i < 100; ++i) hits += ask("new");
  EXPECT_GT(hits, 80);
}

// For the thread sanitizer.
TEST(Cache, ManyThreadsMayUseIt) {
  Cache cache(8 << 20);
  auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
      auto key = std::to_string(random() % 500);
      if (auto found = cache.find(key)) {
        EXPECT_EQ(text(found), key);
      } else {
        cache.keep(key, text(key), 30'000);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  EXPECT_LE(cache.bytes(), 8u << 20);
}

}  // namespace
}  // namespace quire::page_cache
