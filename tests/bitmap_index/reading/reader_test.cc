#include "bitmap_index/reading/reader.h"
#include "base/rounds.h"

#include <gtest/gtest.h>

#include "bitmap_index/reading/answers.h"

namespace quire::bitmap_index {
namespace {

class ReaderTest : public testing::TestWithParam<std::size_t> {};

// One facet of tags: its values are sets that overlap.
std::vector<Ulid> ids_with(const Plain& plain, Code code) {
  std::vector<Ulid> ids;
  for (const auto& each : plain) {
    for (const auto& value : each.values) {
      if (value.code == code) ids.push_back(each.id);
    }
  }
  return ids;
}

void expect_sequence(Reader& reader, FacetNumber facet, Code code, const std::vector<Ulid>& ids) {
  ASSERT_EQ(reader.length(facet, code), ids.size());
  for (std::size_t n = 0; n < ids.size(); n += 1 + ids.size() / 97) {
    ASSERT_EQ(reader.nth(facet, code, n), ids[n]);
    ASSERT_EQ(reader.rank(facet, code, ids[n]), n);
    ASSERT_EQ(reader.rank(facet, code, ids[n].next()), n + 1);
  }
  ASSERT_FALSE(reader.nth(facet, code, ids.size()));
  ASSERT_EQ(reader.rank(facet, code, Ulid{}), 0u);
  Ulid last;
  last.bytes.fill(0xFF);
  ASSERT_EQ(reader.rank(facet, code, last), ids.size());
}

TEST_P(ReaderTest, GivesWhatWasBuilt) {
  std::mt19937_64 random(GetParam());
  PlainFacet facet{4, FacetType::tags, {}, 30};
  for (Code code = 0; code < 9; ++code) facet.values.push_back({4, code * code * 1000});
  auto plain = random_plain(random, {facet}, GetParam());
  Index index(GetParam() < 1000 ? 3 : 10, GetParam() < 1000 ? 2 : 5);
  lmdb::WriteTransaction txn(index.environment);
  build(index.databases, txn, product, plain);
  txn.put(index.databases.texts, text_key(4, 1000), "blue");
  Reader reader(txn.get(), index.databases, product);
  ASSERT_EQ(reader.length(), plain.size());
  std::vector<Ulid> all;
  for (const auto& each : plain) all.push_back(each.id);
  expect_sequence(reader, every_id, 0, all);
  std::vector<ValueCount> values;
  for (const auto& value : facet.values) {
    auto ids = ids_with(plain, value.code);
    ASSERT_NO_FATAL_FAILURE(expect_sequence(reader, 4, value.code, ids));
    if (!ids.empty()) values.push_back({value.code, ids.size()});
  }
  EXPECT_EQ(reader.values(4), values);
  EXPECT_EQ(reader.values(4, 0, ~Code{0}, 2).size(), std::min<std::size_t>(2, values.size()));
  std::erase_if(values, [](const auto& each) { return each.code < 1000 || each.code > 9000; });
  EXPECT_EQ(reader.values(4, 1000, 9000), values);
  EXPECT_TRUE(reader.values(5).empty());
  EXPECT_EQ(reader.length(4, 77), 0u);
  EXPECT_EQ(reader.text(4, 1000), "blue");
  EXPECT_FALSE(reader.text(4, 2000));
}

TEST_P(ReaderTest, FindsIdsByTheirPlaces) {
  std::mt19937_64 random(GetParam());
  auto plain = random_plain(random, {}, GetParam());
  Index index(GetParam() < 1000 ? 3 : 10, GetParam() < 1000 ? 2 : 5);
  lmdb::WriteTransaction txn(index.environment);
  build(index.databases, txn, product - 1, random_plain(random, {}, 50));
  build(index.databases, txn, product, plain);
  build(index.databases, txn, product + 1, random_plain(random, {}, 1));
  Reader reader(txn.get(), index.databases, product);
  std::size_t passed = 0;
  for (const auto& block : reader.blocks()) {
    BlockIds ids(reader, block.start);
    for (std::size_t at = 0; at < block.ids; ++at, ++passed) {
      const auto& id = plain[passed].id;
      ASSERT_EQ(ids.at(at), id);
      ASSERT_EQ(BlockIds(reader, block.start).lower_bound(id, block.ids), at);
      ASSERT_EQ(BlockIds(reader, block.start).lower_bound(id.next(), block.ids), at + 1);
      ASSERT_EQ(reader.block_of(id).start, block.start);
      ASSERT_EQ(reader.block(block.start).ids, block.ids);
      ASSERT_TRUE(reader.has(id));
      ASSERT_FALSE(reader.has(id.next()));
    }
    EXPECT_THROW(ids.at(GetParam() + 1), lmdb::Damaged);
  }
  EXPECT_EQ(passed, plain.size());
  Reader next(txn.get(), index.databases, product + 1);
  ASSERT_EQ(next.length(), 1u);
  EXPECT_EQ(BlockIds(next, next.blocks()[0].start).at(0), next.nth(every_id, 0, 0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ReaderTest, testing::Values(0, 1, 2, 7, 300, 3000));

// A row whose seal is right may still have a count that cannot be.
TEST(DamagedIndex, BlocksOfImpossibleSizesAreNoticed) {
  std::mt19937_64 random(6);
  auto plain = random_plain(random, {}, 20);
  Index index(2, 1);
  lmdb::WriteTransaction txn(index.environment);
  build(index.databases, txn, product, plain);
  for (std::uint64_t ids : {std::uint64_t{0}, max_block + std::uint64_t{1}, ~std::uint64_t{0}}) {
    std::string count(8, '\0');
    lmdb::put_u64(count.data(), ids);
    txn.put(index.databases.counts, count_key(product, every_id, 0, 0, {}), count);
    Reader reader(txn.get(), index.databases, product);
    EXPECT_THROW(reader.block({}), lmdb::Damaged) << ids;
    EXPECT_THROW(reader.block_of(plain[0].id), lmdb::Damaged) << ids;
    EXPECT_THROW(reader.blocks(), lmdb::Damaged) << ids;
  }
}

// A product is damaged in each row in turn: no answer is wrong, and none reads beyond a row.
TEST(DamagedIndex, IsNoticed) {
  std::mt19937_64 random(5);
  std::vector<PlainFacet> facets{
      random_facet(random, 0), random_facet(random, 1), {2, FacetType::number, {}, 0}};
  for (std::int64_t n : {1, 2, 40, 1000}) {
    auto code = encode_number(n);
    facets[2].values.push_back({2, code.code, code.rest, true});
  }
  auto plain = random_plain(random, facets, 60);
  Index index(2, 1);
  const auto& value = facets[0].values[0];
  std::vector<Question> questions{{{{{0, false, false, {value.code}}}}, Sort::newest},
                                  {{{{0, false, false, {}, {value.code}}}}, Sort::highest, 2},
                                  {{}, Sort::lowest, 2}};
  int noticed = 0, answered = 0;
  for (int round = 0; round < rounds(300); ++round) {
    lmdb::WriteTransaction txn(index.environment);
    build(index.databases, txn, product, plain);
    const auto& database = round % 2 ? index.databases.blocks : index.databases.counts;
    lmdb::Cursor cursor(txn.get(), database);
    cursor.move(MDB_FIRST);
    for (auto skipped = random() % 100; skipped > 0; --skipped) cursor.move(MDB_NEXT);
    std::string key(cursor.key()), bytes(cursor.value());
    bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    if (round % 5 == 0) bytes.resize(random() % bytes.size());
    round % 7 == 0 ? static_cast<void>(txn.remove(database.dbi, key))
                   : txn.put(database.dbi, key, bytes);
    for (const auto& question : questions) {
      try {
        Reader reader(txn.get(), index.databases, product);
        Matches matches(reader, question, {});
        auto found = wait(matches.read({}, false, 100));
        ++answered;
        if (round % 7 != 0) {
          ASSERT_EQ(found, plain_matches(plain, question)) << round;
        }
      } catch (const lmdb::Damaged&) {
        ++noticed;
      }
    }
  }
  EXPECT_GT(noticed, rounds(100));
  EXPECT_GT(answered, rounds(100));
}

}  // namespace
}  // namespace quire::bitmap_index
