// Finds the n-th id of a union, whatever the times of the ids, with a bounded number of commands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

using change::Change;

class RedisNumbers : public testing::Test {
 protected:
  // Adds comments. `time` gives the time of each comment, `list` one of the twelve lists.
  template <class Time, class List>
  void fill(std::size_t size, Time time, List list) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < size; ++i) {
      std::array<std::uint8_t, 10> entropy;
      for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random_());
      changes.push_back({"42", Ulid::make(time(i), entropy), {}, lists_[list(i)]});
      all_.push_back(changes.back().id);
      if (changes.size() < 1000 && i + 1 < size) continue;
      ASSERT_TRUE(wait(index_.put(std::move(changes))));
      changes.clear();
    }
    std::sort(all_.begin(), all_.end());
  }

  template <class Time>
  void fill(std::size_t size, Time time) {
    fill(size, time, [&](std::size_t) { return random_() % lists_.size(); });
  }

  // The commands that scripts sent to lists since the last call.
  std::size_t looks() {
    auto info = ask_({"INFO", "commandstats"})->bytes;
    std::size_t calls = 0;
    for (std::string command : {"zlexcount", "zrange", "zcard"}) {
      auto at = info.find("cmdstat_" + command + ":calls=");
      if (at != info.npos) calls += std::stoul(info.substr(info.find('=', at) + 1));
    }
    EXPECT_TRUE(ask_({"CONFIG", "RESETSTAT"}));
    return calls;
  }

  void find_all(std::size_t max_looks) {
    auto ranks = index_.ranks();
    for (std::size_t i = 0; i <= 50; ++i) {
      std::size_t n = i < 40 ? (all_.size() - 1) * i / 39 : random_() % all_.size();
      looks();
      auto found = wait(ranks->nth_of_union("42", lists_, all_.size(), n));
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(*found, all_[n]) << n;
      EXPECT_LE(looks(), max_looks) << n;
    }
    auto past = wait(ranks->nth_of_union("42", lists_, all_.size(), all_.size()));
    ASSERT_FALSE(past);
    EXPECT_EQ(past.error().code, ErrorCode::unavailable);
  }

  static std::vector<Cell> twelve() {
    std::vector<Cell> cells;
    for (auto language : {"de", "en", "fr"}) {
      for (int rating : {1, 2, 3, 5}) cells.push_back(cell(language, rating));
    }
    return cells;
  }

  std::mt19937_64 random_{7};
  RedisServer server_;
  RedisIndex index_{address_of(server_), "t"};
  RawClient ask_{server_};
  std::vector<Cell> lists_ = twelve();
  std::vector<Ulid> all_;
};

constexpr std::uint64_t now = 1'700'000'000'000;

TEST_F(RedisNumbers, AreFoundAmongEvenTimes) {
  fill(30'000, [](std::size_t i) { return now + i * 60'000; });
  find_all(12 * 14);
}

TEST_F(RedisNumbers, AreFoundAmongRandomTimes) {
  fill(30'000, [&](std::size_t) { return now + random_() % 100'000'000'000; });
  find_all(12 * 14);
}

TEST_F(RedisNumbers, AreFoundAmongCrowdedTimes) {
  fill(30'000, [](std::size_t i) {
    return static_cast<std::uint64_t>(now + std::pow(1.0008, static_cast<double>(i)));
  });
  find_all(12 * 30);
}

TEST_F(RedisNumbers, AreFoundAmongDistantTimes) {
  fill(30'000, [](std::size_t i) {
    if (i < 10) return i;  // 1970
    return i < 20 ? Ulid::max_ms - i : now + i % 7;
  });
  find_all(12 * 60);
}

TEST_F(RedisNumbers, AreFoundWhereEachListHasItsOwnTimes) {
  auto time = [](std::size_t i) { return now + i * 60'000; };
  fill(30'000, time, [](std::size_t i) { return i / 2'500; });
  find_all(12 * 60);
}

TEST_F(RedisNumbers, AreFoundAmongEqualTimes) {
  fill(30'000, [](std::size_t) { return now; });
  find_all(12 * 60);
}

}  // namespace
}  // namespace quire::redis
