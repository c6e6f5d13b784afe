#include "store/dynamodb/store.h"

#include <gtest/gtest.h>

#include <string>

namespace quire::dynamodb {
namespace {

using namespace std::chrono_literals;
using Time = Generations::Time;

TEST(Generations, AGenerationLastsThreeSecondsAtMost) {
  Generations generations;
  for (std::string product : {"", "a", "b", "42"}) {
    int changes = 0;
    for (auto now = Time(100s); now < Time(130s); now += 10ms) {
      auto present = generations.present(product, now);
      EXPECT_FALSE(present.same(generations.present(product, now + Generations::lifetime)));
      changes += !present.same(generations.present(product, now + 10ms));
    }
    EXPECT_EQ(changes, 10) << product;
  }
}

TEST(Generations, AWriteEndsTheGenerationOfItsProductAndOfTheStore) {
  Generations generations;
  Time now(100s);
  auto a = generations.present("a", now), b = generations.present("b", now),
       store = generations.present("", now);
  generations.end("a");
  EXPECT_FALSE(a.same(generations.present("a", now)));
  EXPECT_TRUE(b.same(generations.present("b", now)));
  EXPECT_FALSE(store.same(generations.present("", now)));
  generations.end_all();
  EXPECT_FALSE(b.same(generations.present("b", now)));
}

// Otherwise all pages would be rendered anew in the same moment.
TEST(Generations, ProductsChangeAtDifferentTimes) {
  Generations generations;
  Time now(100s);
  int changed = 0;
  for (int i = 0; i < 100; ++i) {
    auto product = std::to_string(i);
    changed += !generations.present(product, now).same(generations.present(product, now + 300ms));
  }
  EXPECT_LT(changed, 40);
}

}  // namespace
}  // namespace quire::dynamodb
