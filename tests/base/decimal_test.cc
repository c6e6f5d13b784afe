// Numbers as JSON shows them to people.
#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace quire {
namespace {

std::string decimal(double number) {
  std::string out;
  append_decimal(out, number);
  return out;
}

TEST(Decimal, IsShortAndHasNoExponent) {
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(0.38), "0.38");
  EXPECT_EQ(decimal(8.5), "8.5");
  EXPECT_EQ(decimal(3), "3");
  EXPECT_EQ(decimal(-1.25), "-1.25");
  EXPECT_EQ(decimal(1500), "1500");
  EXPECT_EQ(decimal(1e21), "1000000000000000000000");
  EXPECT_EQ(decimal(1e-7), "0.0000001");
  EXPECT_EQ(decimal(0.1 + 0.2), "0.30000000000000004");
}

TEST(Decimal, ReadsBackAsTheSameNumber) {
  using Limits = std::numeric_limits<double>;
  for (double number : {1.0 / 3, 2.0 / 7, Limits::max(), Limits::lowest(), Limits::min(),
                        Limits::denorm_min(), 1.7976931348623157e308, -2.2250738585072011e-308})
    EXPECT_EQ(std::strtod(decimal(number).c_str(), nullptr), number);
}

TEST(Decimal, IsAppended) {
  std::string out = "cost ";
  append_decimal(out, 0.5);
  EXPECT_EQ(out, "cost 0.5");
}

}  // namespace
}  // namespace quire
