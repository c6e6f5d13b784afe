// Sorting by numbers of which many share a code, so that codes are divided.
#include "bitmap_index/reading/number_order.h"

#include <gtest/gtest.h>

#include "bitmap_index/reading/answers.h"

namespace quire::bitmap_index {
namespace {

TEST(NumberOrderTest, CodesOfManyMatchesAreDivided) {
  std::mt19937_64 random(2);
  Plain plain;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    Ulid id = random_ulid(random);
    id.bytes[5] = static_cast<std::uint8_t>(i >> 8);
    id.bytes[6] = static_cast<std::uint8_t>(i);
    // Two codes of 65,536 numbers, of which one has a number with many ids; and few others.
    std::int64_t number = 1'100'000 + static_cast<std::int64_t>(random() % 100'000);
    if (i % 3 == 0) number = 1'150'000;
    if (i % 1000 == 0) number = static_cast<std::int64_t>(i);
    auto code = encode_number(number);
    plain.push_back({id, {{1, i % 2}, {4, code.code, code.rest, true}}});
  }
  std::sort(plain.begin(), plain.end(),
            [](const PlainId& a, const PlainId& b) { return a.id < b.id; });
  Index index;
  lmdb::WriteTransaction txn(index.environment);
  build(index.databases, txn, 1, plain);
  Reader reader(txn.get(), index.databases, 1);
  KeptTotals kept(1 << 20);
  Selection half{{{1, false, false, {1}}}};
  for (const auto& selection : {Selection{}, half}) {
    for (auto sort : {Sort::highest, Sort::lowest}) {
      auto expected = plain_matches(plain, {selection, sort, 4});
      Matches matches(reader, {selection, sort, 4}, {&kept, 1});
      for (int i = 0; i < 40; ++i) {
        auto n = random() % expected.size();
        ASSERT_EQ(wait(matches.nth(n)), expected[n]);
        ASSERT_EQ(wait(matches.rank(expected[n])), n);
        auto page = wait(matches.read(expected[n], false, 5));
        ASSERT_TRUE(std::equal(page.begin(), page.end(), expected.begin() + long(n) + 1));
      }
    }
  }
}

}  // namespace
}  // namespace quire::bitmap_index
