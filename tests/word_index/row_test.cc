// Rows of terms: their bytes, and that they give back what was written.
#include "word_index/row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/rounds.h"
#include "bytes.h"
#include "lmdb/sealed.h"
#include "word_index/plain_rows.h"

namespace quire::word_index {
namespace {

std::vector<Position> in_steps(Position from, Position step, std::size_t count) {
  std::vector<Position> positions(count);
  for (auto& at : positions) at = std::exchange(from, from + step);
  return positions;
}

// The bytes in docs/formats/words.md.
TEST(RowFormat, HasTermsThatShareTheirBeginnings) {
  auto rows = rows_of(0x1000, {{"\1en", {0, 1, 2, 3, 4, 5, 6, 7, 8}},
                               {"zip", {300}},
                               {"zipper", {1, 3, 8}},
                               {"zipperlongerthanitwas", {2}}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(hex(rows[0].key), "0000100001656e");
  EXPECT_EQ(hex(rows[0].value),
            "04000400"
            "0301656e250300ff01"
            "037a697004ac02"
            "337065720d03000a01"
            "6f006c6f6e6765727468616e69747761730402");
}

TEST(RowFormat, OfAListThatGoesOn) {
  auto rows = rows_of(7, {{"a", in_steps(0, 2, 20'000)}, {"b", {5}}});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(hex(rows[0].key), "0000000761");
  EXPECT_EQ(hex(rows[1].key), "00000007610001");
  EXPECT_EQ(rows[0].value.size(), max_row);
  EXPECT_EQ(hex(rows[0].value.substr(0, 13)), "010004000161c3fb03dd1f0055");
  EXPECT_EQ(hex(rows[1].value.substr(0, 13)), "020004000161c175ae07dc1f55");
  EXPECT_EQ(hex(rows[1].value.substr(rows[1].value.size() - 4)), "01620405");
}

Postings random_postings(std::mt19937_64& random) {
  Postings postings;
  auto length = 1 + random() % (random() % 4 ? 200 : 70'000);
  for (auto left = random() % 300; left > 0; --left) {
    std::string term;
    for (auto size = 1 + random() % (random() % 8 ? 6 : 64); size > 0; --size)
      term += static_cast<char>(random() % 5 ? 'a' + random() % 3 : 1 + random() % 255);
    auto one_of = 1 + random() % (random() % 3 ? length : 4);
    std::vector<Position> positions;
    for (std::size_t at = random() % one_of; at < length; at += 1 + random() % one_of)
      positions.push_back(static_cast<Position>(at));
    if (positions.empty()) positions.push_back(static_cast<Position>(random() % length));
    postings[term] = std::move(positions);
  }
  return postings;
}

void expect_bounds(const std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_LE(rows[i].value.size(), max_row);
    ASSERT_TRUE(i == 0 || rows[i - 1].key < rows[i].key);
  }
}

void expect_sought(const PlainRows& rows, const Postings& postings, const std::string& term) {
  PlainSource source(rows);
  TermsOfSegment terms(source, 5);
  auto expected = postings.lower_bound(term);
  ASSERT_EQ(terms.seek(term), expected != postings.end());
  for (int i = 0; i < 3 && expected != postings.end(); ++i, ++expected) {
    ASSERT_EQ(terms.term(), expected->first);
    if (i == 1) {
      std::vector<Position> positions;
      terms.append_to(positions);
      ASSERT_EQ(positions, expected->second);
    }
    ASSERT_EQ(terms.next(), std::next(expected) != postings.end());
  }
}

TEST(Rows, GiveBackWhatWasWritten) {
  std::mt19937_64 random(71);
  for (int round = 0; round < rounds(24); ++round) {
    auto postings = random_postings(random);
    auto made = rows_of(5, postings);
    ASSERT_NO_FATAL_FAILURE(expect_bounds(made));
    PlainRows rows;
    put_rows(rows, rows_of(4, random_postings(random)));
    put_rows(rows, made);
    put_rows(rows, rows_of(6, random_postings(random)));
    ASSERT_EQ(postings_of(rows, 5), postings);
    for (int i = 0; i < 20; ++i) {
      auto term = made.empty() ? "a" : made[random() % made.size()].key.substr(4);
      if (auto part = term.find('\0'); part != term.npos) term.resize(part);
      if (random() % 2) term += static_cast<char>('a' + random() % 3);
      ASSERT_NO_FATAL_FAILURE(expect_sought(rows, postings, term));
    }
  }
}

TEST(Rows, AreBits) {
  std::mt19937_64 random(72);
  for (int round = 0; round < rounds(12); ++round) {
    PlainRows rows;
    put_rows(rows, rows_of(5, random_postings(random)));
    PlainSource source(rows);
    TermsOfSegment terms(source, 5);
    for (const auto& [term, positions] : postings_of(rows, 5)) {
      ASSERT_TRUE(terms.next());
      std::vector<std::uint64_t> bits(70'000 / 64 + 1);
      terms.add_to(bits);
      for (auto at : positions) bits[at / 64] ^= std::uint64_t{1} << at % 64;
      ASSERT_EQ(std::count(bits.begin(), bits.end(), 0u), static_cast<long>(bits.size()));
    }
  }
}

TEST(Rows, AreFull) {
  Postings postings;
  std::mt19937_64 random(73);
  for (int i = 0; i < 20'000; ++i) {
    auto term = std::to_string(random());
    postings[term] = {static_cast<Position>(random() % 65'536)};
  }
  postings["common"] = in_steps(0, 2, 32'768);
  auto rows = rows_of(0, postings);
  std::size_t bytes = 0;
  for (const auto& row : rows) bytes += row.value.size();
  EXPECT_GT(bytes, rows.size() * max_row * 97 / 100);
}

// Whatever the bytes of a row are, it is read or Damaged.
TEST(Rows, OfOtherBytesAreDamagedAtWorst) {
  std::mt19937_64 random(74);
  int is_damaged = 0;
  for (int round = 0; round < rounds(100); ++round) {
    PlainRows rows;
    put_rows(rows, rows_of(5, random_postings(random)));
    if (rows.empty()) continue;
    for (int i = 0; i < 4; ++i) {
      auto& value = std::next(rows.begin(), static_cast<long>(random() % rows.size()))->second;
      if (random() % 4 == 0) value.resize(random() % (value.size() + 1));
      if (!value.empty()) value[random() % value.size()] = static_cast<char>(random());
    }
    try {
      postings_of(rows, 5);
      PlainSource source(rows);
      TermsOfSegment(source, 5).seek("b");
    } catch (const lmdb::Damaged&) {
      ++is_damaged;
    }
  }
  EXPECT_GT(is_damaged, 0);
}

}  // namespace
}  // namespace quire::word_index
