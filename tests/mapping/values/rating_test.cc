// Ratings of any scale, beside exact fractions.
#include "mapping/values/rating.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace quire {
namespace {

constexpr auto refused = Rounding::refused, up = Rounding::up, down = Rounding::down;

void expect_rating(std::variant<int, NoRating> wanted, std::string_view value,
                   std::string_view max = "5", Rounding rounding = refused) {
  EXPECT_EQ(rating_of(value, max, rounding), wanted) << value << " of " << max;
}

TEST(Rating, IsReadHoweverItIsWritten) {
  for (auto text : {"5", "5.0", "5,0", "05", "5.000000000000000000000000"}) expect_rating(5, text);
  expect_rating(4, "4.4");
  expect_rating(4, "3,6");
  expect_rating(1, "1");
  for (auto text :
       {"", "five", "5 stars", "5.", ".5", "5.0.0", "+5", "1e1", "10000", "★★★★★", "4,5,"})
    expect_rating(NoRating::no_number, text);
}

TEST(Rating, OfAnotherScaleIsTheNearest) {
  expect_rating(4, "8", "10");
  expect_rating(5, "100", "100");
  expect_rating(4, "87", "100");
  expect_rating(3, "3.1", "5.0");
  expect_rating(1, "0.1");
  expect_rating(1, "0.000000000000000000001");
  expect_rating(1, "4", "100");
  expect_rating(NoRating::zero, "0");
  expect_rating(NoRating::zero, "0,0", "10");
  expect_rating(NoRating::zero, "-1");
  expect_rating(NoRating::above, "6");
  expect_rating(NoRating::above, "5.0000000000000001");
  expect_rating(NoRating::above, "11", "10");
  for (auto max : {"0", "", "-5", "five"}) expect_rating(NoRating::no_scale, "3", max);
}

TEST(Rating, ExactlyBetweenTwoNeedsARound) {
  expect_rating(NoRating::half, "4,5");
  expect_rating(5, "4,5", "5", up);
  expect_rating(4, "4.50", "5", down);
  expect_rating(NoRating::half, "9", "10");
  expect_rating(5, "9", "10", up);
  expect_rating(4, "9", "10", down);
  // A little more is no half.
  expect_rating(5, "4.50000000000000000001");
  expect_rating(4, "4.49999999999999999999", "5", up);
  expect_rating(NoRating::half, "0.5");
  expect_rating(1, "0.5", "5", up);
  expect_rating(1, "0.5", "5", down);
}

// value / 10^places of max: whole numbers alone.
std::variant<int, NoRating> exact(std::int64_t value, std::int64_t max, Rounding rounding) {
  if (value == 0) return NoRating::zero;
  if (value > max) return NoRating::above;
  // stars - 1/2 <= 5 value / max <= stars + 1/2, all of it times 2 max
  std::vector<int> nearest;
  for (int stars = 0; stars <= 5; ++stars)
    if ((2 * stars - 1) * max <= 10 * value && 10 * value <= (2 * stars + 1) * max)
      nearest.push_back(stars);
  if (nearest.size() == 1) return std::max(1, nearest[0]);
  if (rounding == refused) return NoRating::half;
  return std::max(1, rounding == up ? nearest[1] : nearest[0]);
}

TEST(Rating, IsThatOfExactFractions) {
  std::mt19937_64 random(1);
  constexpr std::int64_t units[] = {1, 10, 100, 1000, 1'000'000, 1'000'000'000'000};
  constexpr int places[] = {0, 1, 2, 3, 6, 12};
  std::size_t halves = 0;
  for (int round = 0; round < 100'000; ++round) {
    auto at = random() % std::size(units);
    auto max = static_cast<std::int64_t>(1 + random() % (random() % 2 ? 10 : 1000));
    auto whole = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(max + 2));
    auto fraction = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(units[at]));
    if (random() % 3 == 0) fraction = units[at] / 2;
    auto text = std::to_string(whole);
    if (places[at] > 0)
      text += fmt::format("{}{:0{}}", random() % 2 ? '.' : ',', fraction, places[at]);
    else
      fraction = 0;
    auto rounding = std::array{refused, up, down}[random() % 3];
    auto wanted = exact(whole * units[at] + fraction, max * units[at], rounding);
    ASSERT_EQ(rating_of(text, std::to_string(max), rounding), wanted) << text << " of " << max;
    halves += wanted == std::variant<int, NoRating>(NoRating::half);
  }
  EXPECT_GT(halves, 500u);
}

}  // namespace
}  // namespace quire
