// Compares every answer with that of a plain vector.
#include "bitmap_index/reading/matches.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "base/rounds.h"
#include "bitmap_index/reading/answers.h"
#include "bitmap_index/reading/word_builder.h"

namespace quire::bitmap_index {
namespace {

// A product beside others that must neither change nor count.
class Built {
 public:
  Built(const Plain& plain, int block_bits, int group_bits) : index_(block_bits, group_bits) {
    std::mt19937_64 random(1);
    auto others = random_plain(random, {random_facet(random, 0), random_facet(random, 2)}, 20);
    give_terms(random, others);
    lmdb::WriteTransaction txn(index_.environment);
    words_ = word_index::open_databases(txn.get(), MDB_CREATE);
    WordBuilder words(words_, index_.databases, txn);
    for (const auto& [number, ids] : std::map<Product, const Plain*>{
             {product - 1, &others}, {product, &plain}, {product + 1, &others}}) {
      build(index_.databases, txn, number, *ids);
      words.add(number, *ids);
    }
    stemmers_ = words.finish(random);
    txn.commit();
  }

  Index& index() { return index_; }
  Reader reader(const lmdb::Transaction& txn) { return {txn, index_.databases, product, &words_}; }
  words::Stemmers stemmers() const { return stemmers_; }

 private:
  Index index_;
  word_index::Databases words_;
  words::Stemmers stemmers_ = 0;
};

std::vector<PlainFacet> random_facets(std::mt19937_64& random, std::size_t count) {
  std::vector<PlainFacet> facets;
  for (std::size_t i = 0; i < count; ++i)
    facets.push_back(random_facet(random, static_cast<FacetNumber>(i + random() % 2 * 50)));
  std::sort(facets.begin(), facets.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return facets;
}

std::vector<Code> random_codes(std::mt19937_64& random, const PlainFacet& facet) {
  std::vector<Code> codes;
  for (auto left = 1 + random() % 3; left > 0; --left) {
    bool absent = random() % 10 == 0;
    codes.push_back(absent ? random() : facet.values[random() % facet.values.size()].code);
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

std::vector<NumberRange> random_ranges(std::mt19937_64& random, const PlainFacet& facet) {
  auto number = [&] {
    const auto& value = facet.values[random() % facet.values.size()];
    return decode_number({value.code, value.rest}) + static_cast<std::int64_t>(random() % 5) - 2;
  };
  auto low = number(), high = number();
  if (low > high) std::swap(low, high);
  if (random() % 3 == 0) high = low;
  if (std::abs(low) >= std::int64_t{1} << 53 || std::abs(high) >= std::int64_t{1} << 53) return {};
  std::vector<NumberRange> ranges{{encode_number(low), encode_number(high)}};
  if (random() % 3 == 0 && high + 7 < std::int64_t{1} << 53)
    ranges.push_back({encode_number(high + 2), encode_number(high + 7)});
  return ranges;
}

Term random_term(std::mt19937_64& random, const PlainFacet& facet) {
  Term term{facet.number, facet.type == FacetType::tags};
  bool number = facet.type == FacetType::number;
  auto kind = random() % 10;
  if (kind < 5) term.any_of = random_codes(random, facet);
  if (kind == 5 || kind == 6) term.none_of = random_codes(random, facet);
  if (kind == 7 && term.several) term.all_of = random_codes(random, facet);
  if (kind >= 7 && number)
    (random() % 2 ? term.within : term.outside) = random_ranges(random, facet);
  if (kind == 4 && random() % 2) term.none_of = random_codes(random, facet);
  if (kind == 9 && !number) term.no_value = true;
  return term;
}

Question random_question(std::mt19937_64& random, const std::vector<PlainFacet>& facets) {
  Question question;
  for (const auto& facet : facets) {
    if (random() % facets.size() < 2)
      question.selection.terms.push_back(random_term(random, facet));
  }
  if (random() % 4 == 0) question.selection.terms.clear();
  question.selection.nothing = random() % 40 == 0;
  question.sort = static_cast<Sort>(random() % 4);
  if (question.sort == Sort::newest || question.sort == Sort::oldest) return question;
  std::vector<FacetNumber> numbers{99};  // a facet without values
  for (const auto& facet : facets) {
    if (facet.type == FacetType::number) numbers.insert(numbers.end(), 5, facet.number);
  }
  question.sort_by = numbers[random() % numbers.size()];
  return question;
}

// Positions of matches, of other ids, and of none.
Position random_position(std::mt19937_64& random, const Plain& plain, const Question& question,
                         const std::vector<Position>& expected) {
  if (!expected.empty() && random() % 2) return expected[random() % expected.size()];
  Position position{random_ulid(random)};
  const auto* other = plain.empty() ? nullptr : &plain[random() % plain.size()];
  if (other && random() % 2) position.id = other->id;
  if (random() % 20 == 0) position.id = Ulid{};
  if (random() % 20 == 0) position.id.bytes.fill(0xFF);
  if (question.sort == Sort::newest || question.sort == Sort::oldest) return position;
  if (other && random() % 5) position.value = number_of(other->values, question.sort_by);
  if (position.value && random() % 3 == 0) *position.value += random() % 2 ? 1 : -1;
  return position;
}

void compare_reads(std::mt19937_64& random, Matches& matches, const Plain& plain,
                   const Question& question, const std::vector<Position>& expected) {
  auto precedes = [&](const Position& a, const Position& b) {
    return plainly_precedes(a, b, question.sort);
  };
  for (int i = 0; i < 6; ++i) {
    auto position = random_position(random, plain, question, expected);
    auto begin = std::lower_bound(expected.begin(), expected.end(), position, precedes);
    auto end = std::upper_bound(expected.begin(), expected.end(), position, precedes);
    ASSERT_EQ(wait(matches.rank(position)), begin - expected.begin());
    auto limit = random() % 3 == 0 ? random() % 1000 : random() % 12;
    std::vector<Position> forward(end, expected.end()), back(expected.begin(), begin);
    std::reverse(back.begin(), back.end());
    if (forward.size() > limit) forward.resize(limit);
    if (back.size() > limit) back.resize(limit);
    ASSERT_EQ(wait(matches.read(position, false, limit)), forward);
    ASSERT_EQ(wait(matches.read(position, true, limit)), back);
  }
  std::vector<Position> first(
      expected.begin(),
      expected.begin() + static_cast<long>(std::min<std::size_t>(7, expected.size())));
  std::vector<Position> last(
      expected.rbegin(),
      expected.rbegin() + static_cast<long>(std::min<std::size_t>(7, expected.size())));
  ASSERT_EQ(wait(matches.read({}, false, 7)), first);
  ASSERT_EQ(wait(matches.read({}, true, 7)), last);
}

void compare(std::mt19937_64& random, Reader& reader, const Plain& plain, const Question& question,
             Keeping keeping) {
  auto expected = plain_matches(plain, question);
  auto asked = question;
  if (random() % 2) asked.total = expected.size();
  Matches matches(reader, asked, keeping);
  if (random() % 2) {
    ASSERT_EQ(wait(matches.total()), expected.size());
  }
  auto step = 1 + expected.size() / 50;
  for (std::size_t n = random() % step; n < expected.size(); n += step) {
    ASSERT_EQ(wait(matches.nth(n)), expected[n]) << n;
    ASSERT_EQ(wait(matches.rank(expected[n])), n);
  }
  ASSERT_FALSE(wait(matches.nth(expected.size())));
  ASSERT_FALSE(wait(matches.nth(expected.size() + 1'000'000)));
  ASSERT_EQ(wait(matches.total()), expected.size());
  ASSERT_NO_FATAL_FAILURE(compare_reads(random, matches, plain, question, expected));
}

void add_words(std::mt19937_64& random, words::Stemmers stemmers, Selection& selection) {
  if (random() % 2) return;
  selection.words = words::plain_words(random_text(random, 1 + random() % 3)).value();
  selection.stemmers = stemmers;
}

class RandomIndexes : public testing::TestWithParam<std::tuple<int, int, std::size_t>> {};

TEST_P(RandomIndexes, AnswerAsAPlainVectorDoes) {
  auto [block_bits, group_bits, most] = GetParam();
  std::mt19937_64 random(static_cast<std::uint64_t>(block_bits * 100 + group_bits) + most);
  int found_by_words = 0;
  for (int round = 0; round < rounds(12); ++round) {
    auto facets = random_facets(random, 1 + random() % 12);
    auto plain = random_plain(random, facets, random() % (most + 1));
    give_terms(random, plain);
    Built built(plain, block_bits, group_bits);
    KeptTotals kept(1 << 20);
    lmdb::ReadTransaction txn(built.index().environment);
    for (int i = 0; i < 25; ++i) {
      auto question = random_question(random, facets);
      add_words(random, built.stemmers(), question.selection);
      auto reader = built.reader(txn.get());
      Keeping keeping{random() % 2 ? &kept : nullptr, 5};
      if (!question.selection.words.empty())
        found_by_words += !plain_matches(plain, question).empty();
      ASSERT_NO_FATAL_FAILURE(compare(random, reader, plain, question, keeping))
          << round << " " << i;
      ASSERT_NO_FATAL_FAILURE(compare_counts(reader, plain, question.selection, facets, keeping))
          << round << " " << i;
    }
  }
  EXPECT_GT(found_by_words, rounds(10));
}

// More values than are read or merged at once.
TEST(ManyValues, AreCountedAsInAPlainVector) {
  std::mt19937_64 random(3);
  std::vector<PlainFacet> facets{{0, FacetType::flag, {{0, 0}, {0, 1}}, 0},
                                 {1, FacetType::choice, {}, 10},
                                 {2, FacetType::tags, {}, 50}};
  for (int i = 0; i < 9000; ++i) {
    facets[1].values.push_back({1, random()});
    facets[2].values.push_back({2, random()});
  }
  auto plain = random_plain(random, facets, 5000);
  Built built(plain, 7, 3);
  lmdb::ReadTransaction txn(built.index().environment);
  Reader reader(txn.get(), built.index().databases, product);
  ASSERT_GT(reader.values(1).size(), 2048u);
  for (const Selection& selection : {Selection{}, Selection{{{0, false, false, {1}}}}})
    compare_counts(reader, plain, selection, facets, {});
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomIndexes,
                         testing::Values(std::tuple(1, 1, 40u), std::tuple(2, 1, 300u),
                                         std::tuple(3, 2, 300u), std::tuple(2, 2, 1500u),
                                         std::tuple(10, 5, 4000u)));

}  // namespace
}  // namespace quire::bitmap_index
