// When places are found by a walk over the levels, and when from totals that are kept.
#include <gtest/gtest.h>

#include "bitmap_index/reading/answers.h"
#include "bitmap_index/reading/kept_totals.h"

namespace quire::bitmap_index {
namespace {

class PlacesTest : public testing::TestWithParam<Sort> {};

// A page in the middle of a union; in a sort by number it is one of a single code.
TEST_P(PlacesTest, AreKeptOnceWalksPassedAsManyBlocksAsThereAre) {
  constexpr int block_bits = 3, group_bits = 2;
  std::mt19937_64 random(8);
  PlainFacet rating{0, FacetType::number, {}, 0};
  for (std::int64_t stars = 1; stars <= 5; ++stars)
    rating.values.push_back({0, encode_number(stars).code, 0, true});
  auto plain = random_plain(random, {rating}, 2000);
  Index index(block_bits, group_bits);
  lmdb::WriteTransaction txn(index.environment);
  build(index.databases, txn, product, plain);
  Selection two{{{.facet = 0, .any_of = {rating.values[0].code, rating.values[1].code}}}};
  Question question{two, GetParam(), 0};
  auto expected = plain_matches(plain, question);
  KeptTotals kept(1 << 20);
  std::uint64_t walks = 0;
  for (bool found = false; !found; walks += !found) {
    Reader reader(txn, index.databases, product);
    Matches matches(reader, question, {&kept, 5});
    auto n = expected.size() / 5 + random() % 100;
    ASSERT_EQ(wait(matches.nth(n)), expected[n]);
    ASSERT_EQ(wait(matches.rank(expected[n])), n);
    found = matches.work().kept;
    ASSERT_LE(walks, plain.size());
  }
  EXPECT_EQ(walks, (plain.size() >> block_bits >> group_bits) + 1);
}

INSTANTIATE_TEST_SUITE_P(Sorts, PlacesTest,
                         testing::Values(Sort::newest, Sort::oldest, Sort::highest));

}  // namespace
}  // namespace quire::bitmap_index
