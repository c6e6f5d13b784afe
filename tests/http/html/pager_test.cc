// The numbers that the pager shows, and its addresses.
#include "http/html/parts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quire::http {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(Pager, ShowsBothEndsThePresentPageAndItsNeighbours) {
  EXPECT_EQ(pager_numbers(1, 1), (Numbers{1}));
  EXPECT_EQ(pager_numbers(1, 3), (Numbers{1, 2, 3}));
  EXPECT_EQ(pager_numbers(30, 99), (Numbers{1, 0, 28, 29, 30, 31, 32, 0, 99}));
  EXPECT_EQ(pager_numbers(30, 413), (Numbers{1, 0, 29, 30, 31, 0, 413}));
  EXPECT_EQ(pager_numbers(4, 413), (Numbers{1, 2, 3, 4, 5, 0, 413}));
  EXPECT_EQ(pager_numbers(25'000, 50'000), (Numbers{1, 0, 24'999, 25'000, 25'001, 0, 50'000}));
}

TEST(Pager, NeverHidesASingleNumberAndNeverRepeatsOne) {
  for (std::uint64_t count = 1; count <= 30; ++count) {
    for (std::uint64_t number = 1; number <= count; ++number) {
      auto shown = pager_numbers(number, count);
      EXPECT_EQ(shown.front(), 1u);
      EXPECT_EQ(shown.back(), count);
      EXPECT_EQ(std::count(shown.begin(), shown.end(), number), 1);
      for (std::size_t i = 1; i < shown.size(); ++i) {
        if (shown[i] == 0) {
          EXPECT_GE(shown[i + 1] - shown[i - 1], 3u);
        } else if (shown[i - 1] != 0) {
          EXPECT_EQ(shown[i], shown[i - 1] + 1);
        }
      }
    }
  }
}

FoundPage page_at(std::uint64_t number, std::uint64_t count) {
  FoundPage page;
  page.number = PageNumber{number, count};
  if (number > 1) page.previous = "PREVIOUS";
  if (number < count) page.next = "NEXT";
  return page;
}

std::string previous_of(const FoundPage& found, const Query& query) {
  return previous_address({query, found, {}, {}, {}, {"", "/p"}, nullptr});
}
std::string next_of(const FoundPage& found, const Query& query) {
  return next_address({query, found, {}, {}, {}, {"", "/p"}, nullptr});
}

TEST(Pager, LeadsByNumberWherePagesHaveOne) {
  Query query{.product = "42", .ratings = {5}};
  EXPECT_EQ(previous_of(page_at(3, 9), query), "/p?rating=5&page=2");
  EXPECT_EQ(previous_of(page_at(2, 9), query), "/p?rating=5");
  EXPECT_EQ(previous_of(page_at(1, 9), query), "");
  auto amid = page_at(3, 9);
  amid.number->whole = false;
  EXPECT_EQ(previous_of(amid, query), "/p?rating=5&page=3");
  EXPECT_EQ(next_of(page_at(1, 9), query), "/p?rating=5&page=2");
  EXPECT_EQ(next_of(page_at(9, 9), query), "");
}

TEST(Pager, LeadsByCursorWherePagesHaveNone) {
  auto page = page_at(3, 9);
  page.number.reset();
  EXPECT_EQ(previous_of(page, {}), "/p?before=PREVIOUS");
  EXPECT_EQ(next_of(page, {}), "/p?after=NEXT");
}

}  // namespace
}  // namespace quire::http
