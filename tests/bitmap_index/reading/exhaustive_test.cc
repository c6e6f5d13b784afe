// Every small index: up to 6 ids, 3 facets, each id with or without each value.
#include <gtest/gtest.h>

#include "base/rounds.h"
#include "bitmap_index/reading/answers.h"

namespace quire::bitmap_index {
namespace {

constexpr FacetNumber flag_facet = 0, tags_facet = 1, number_facet = 2;

// A flag that is true or absent, tags of one or two, and numbers with and without a code each.
Plain plain_of(const std::vector<Ulid>& ids, unsigned masks) {
  Plain plain;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto bit = [&](std::size_t facet) { return masks >> (facet * ids.size() + i) & 1; };
    std::vector<Value> values;
    if (bit(flag_facet)) values.push_back({flag_facet, 1});
    values.push_back({tags_facet, 10});
    if (bit(tags_facet)) values.push_back({tags_facet, 20});
    auto code = encode_number(i % 2 ? 1000 + static_cast<int>(i) : 5);
    if (bit(number_facet)) values.push_back({number_facet, code.code, code.rest, true});
    plain.push_back({ids[i], values});
  }
  return plain;
}

std::vector<Question> questions() {
  NumberRange some{encode_number(5), encode_number(1002)};
  std::vector<Selection> selections{
      {},
      {{{flag_facet, false, false, {1}}}},
      {{{flag_facet, false, false, {}, {1}}}},
      {{{tags_facet, true, false, {20}}, {number_facet, false, true}}},
      {{{flag_facet, false, false, {1}}, {tags_facet, true, false, {}, {20}}}},
      {{{tags_facet, true, false, {10, 20}}, {number_facet, false, false, {}, {}, {}, {some}}}},
      {{{tags_facet, true, false, {}, {}, {10, 20}},
        {number_facet, false, false, {}, {}, {}, {}, {some}}}},
      {{{tags_facet, true, false, {30}}}},
  };
  std::vector<Question> all;
  for (const auto& selection : selections) {
    for (auto sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest})
      all.push_back({selection, sort, number_facet});
  }
  return all;
}

void compare(Reader& reader, const Plain& plain, const Question& question) {
  auto expected = plain_matches(plain, question);
  Matches matches(reader, question, {});
  ASSERT_EQ(wait(matches.total()), expected.size());
  ASSERT_EQ(wait(matches.read({}, false, 10)), expected);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    ASSERT_EQ(wait(matches.nth(n)), expected[n]);
    ASSERT_EQ(wait(matches.rank(expected[n])), n);
    std::vector<Position> behind(expected.begin() + static_cast<long>(n) + 1, expected.end());
    ASSERT_EQ(wait(matches.read(expected[n], false, 10)), behind);
  }
}

TEST(EverySmallIndex, AnswersAsAPlainVectorDoes) {
  std::mt19937_64 random(1);
  std::vector<Ulid> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(random_ulid(random));
  std::sort(ids.begin(), ids.end());
  auto asked = questions();
  Index index(1, 1);
  for (std::size_t count = 0; count <= 6; ++count) {
    std::vector<Ulid> some(ids.begin(), ids.begin() + static_cast<long>(count));
    bool all = count <= 3u - sanitized;  // of larger ones each is asked in turn
    unsigned end = 1u << 3 * count;
    for (unsigned masks = 0; masks < end; masks += all ? 1 : 1 + end / rounds(2000u)) {
      auto plain = plain_of(some, masks);
      lmdb::WriteTransaction txn(index.environment);
      build(index.databases, txn, 1, plain);
      Reader reader(txn.get(), index.databases, 1);
      for (std::size_t i = 0; i < (all ? asked.size() : 1); ++i) {
        const auto& question = all ? asked[i] : asked[random() % asked.size()];
        ASSERT_NO_FATAL_FAILURE(compare(reader, plain, question)) << count << " " << masks;
      }
    }
  }
}

}  // namespace
}  // namespace quire::bitmap_index
