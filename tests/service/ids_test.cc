#include "service/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace quire {
namespace {

constexpr std::array<std::uint8_t, 10> low{},
    high{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

TEST(Ids, OfOneMillisecondGrow) {
  Ids ids;
  auto first = ids.next(5000, high), second = ids.next(5000, low), later = ids.next(5001, low);
  EXPECT_LT(first, second);
  EXPECT_EQ(second, first.next());
  EXPECT_EQ(ids.next(5001, high), std::max(later, second).next());
}

TEST(Ids, AnEndOfChanceGoesOnInTheNextMillisecond) {
  Ids ids;
  ids.next(5000, high);
  EXPECT_EQ(ids.next(5000, low), Ulid::make(5001, low));
}

TEST(Ids, AClockThatIsSetBackALittleDoesNotChangeTheOrder) {
  Ids ids;
  auto before = ids.next(5000, low);
  EXPECT_LT(before, ids.next(4000, low));
  EXPECT_EQ(ids.next(3000, high), Ulid::make(3000, high)) << "set back further, it is believed";
  EXPECT_EQ(ids.next(4000, low), Ulid::make(4000, low));
}

TEST(Ids, OfAGivenTimeGrowUnlessAThousandOthersComeBetween) {
  Ids ids;
  auto first = ids.of(5000, high);
  EXPECT_EQ(first, Ulid::make(5000, high));
  EXPECT_EQ(ids.of(5000, low), Ulid::make(5000, low)) << "no id of that time is greater";
  EXPECT_EQ(ids.next(9000, low), Ulid::make(9000, low)) << "other ids are of the clock";
  auto last = ids.of(5000, high);
  EXPECT_EQ(last, Ulid::make(5000, low).next());
  for (std::uint64_t others : {1u, 500u, 999u, 999u, 1000u}) {
    for (std::uint64_t ms = 0; ms < others; ++ms) ids.of(others * 10'000 + ms, high);
    auto next = ids.of(5000, high);
    EXPECT_EQ(next, last.next()) << others;
    last = next;
  }
  for (std::uint64_t ms = 0; ms < 3000; ++ms) ids.of(20'000'000 + ms, high);
  EXPECT_EQ(ids.of(5000, high), first) << "it is forgotten";
}

TEST(Ids, ThreadsGetDifferentIds) {
  Ids ids;
  std::vector<Ulid> made(4000);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t i = 0; i < 1000; ++i) made[thread * 1000 + i] = ids.next(7000, low);
      });
    }
  }
  for (std::size_t thread = 0; thread < 4; ++thread) {
    auto own = made.begin() + static_cast<std::ptrdiff_t>(thread * 1000);
    EXPECT_TRUE(std::is_sorted(own, own + 1000));
  }
  std::sort(made.begin(), made.end());
  EXPECT_EQ(std::adjacent_find(made.begin(), made.end()), made.end());
}

}  // namespace
}  // namespace quire
