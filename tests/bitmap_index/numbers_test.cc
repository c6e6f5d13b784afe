#include "bitmap_index/numbers.h"

#include <gtest/gtest.h>

#include <random>

namespace quire::bitmap_index {
namespace {

constexpr std::int64_t greatest = (std::int64_t{1} << 53) - 1;

void expect_whole(std::int64_t number) {
  auto code = encode_number(number);
  EXPECT_EQ(decode_number(code), number);
  EXPECT_EQ(code.rest >> 8 * rest_size(code.code), 0u) << number;
}

TEST(NumbersTest, CodesGiveTheirNumbersBackInOrder) {
  NumberCode last = encode_number(-70'001);
  for (std::int64_t number = -70'000; number <= 70'000; ++number) {
    expect_whole(number);
    auto code = encode_number(number);
    ASSERT_LT(last, code) << number;
    last = code;
  }
}

TEST(NumbersTest, NumbersOfAnySizeComeBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    auto number = static_cast<std::int64_t>(random() >> (11 + random() % 53));
    expect_whole(number);
    expect_whole(-number);
  }
  expect_whole(greatest);
  expect_whole(-greatest);
}

TEST(NumbersTest, SmallNumbersHaveACodeEach) {
  for (std::int64_t number = -32; number < 32; ++number)
    EXPECT_EQ(rest_size(encode_number(number).code), 0u);
  EXPECT_EQ(encode_number(32).code, encode_number(33).code);
  EXPECT_EQ(rest_size(encode_number(32).code), 1u);
  EXPECT_EQ(rest_size(encode_number(greatest).code), 6u);
}

TEST(NumbersTest, ADamagedCodeHasARestOfAtMostSevenBytes) {
  for (Code code : {Code{0}, ~Code{0}, Code{1} << 62}) EXPECT_LE(rest_size(code), 7u);
}

}  // namespace
}  // namespace quire::bitmap_index
