#include "model/counts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quire {
namespace {

TEST(Ratings, TheAverageIsTheMean) {
  EXPECT_EQ(average({}), 0);
  EXPECT_EQ(average({0, 0, 0, 0, 3}), 5);
  EXPECT_DOUBLE_EQ(average({1, 0, 0, 0, 2}), 11.0 / 3);
}

TEST(Ratings, TheAdjustedAverageIsTheFormulas) {
  EXPECT_EQ(adjusted_average({}), 0);
  // p = 1/6 …, 2/6: mean 20/6, squares 80/6, variance 80/6 − 400/36 = 80/36, over N + 6 = 7.
  EXPECT_NEAR(adjusted_average({0, 0, 0, 0, 1}), 20.0 / 6 - 1.65 * std::sqrt(80.0 / 36 / 7), 1e-12);
  // p = 11/15, four times 1/15: mean 25/15, squares 65/15, over 16.
  EXPECT_NEAR(adjusted_average({10, 0, 0, 0, 0}),
              25.0 / 15 - 1.65 * std::sqrt((65.0 / 15 - 625.0 / 225) / 16), 1e-12);
}

TEST(Ratings, FewCommentsMoveTheAdjustedAverageLittle) {
  EXPECT_LT(adjusted_average({0, 0, 0, 0, 3}), adjusted_average({0, 0, 0, 0, 30}));
  EXPECT_LT(adjusted_average({0, 0, 0, 0, 1}), adjusted_average({10, 10, 20, 300, 900}));
  EXPECT_LT(adjusted_average({0, 0, 0, 0, 1'000'000'000'000}), 5);
  EXPECT_GT(adjusted_average({0, 0, 0, 0, 1'000'000'000'000}), 4.99);
}

}  // namespace
}  // namespace quire
