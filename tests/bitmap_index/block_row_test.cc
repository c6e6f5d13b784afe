#include "bitmap_index/block_row.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "bitmap_index/block_entry.h"
#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {
namespace {

using Model = std::map<Code, std::map<std::size_t, std::uint64_t>>;  // code, position, rest

std::vector<BlockEntry> entries_of(const Model& model, std::size_t ids) {
  std::vector<BlockEntry> entries;
  for (const auto& [code, members] : model) {
    BlockEntry entry{code, members.size(), Words(words_for(ids)), {}};
    for (auto [position, rest] : members) {
      entry.words[position / 64] |= std::uint64_t{1} << position % 64;
      if (rest_size(code) > 0) entry.rests.push_back(rest);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Model random_model(std::mt19937_64& random, std::size_t ids) {
  Model model;
  for (int i = static_cast<int>(random() % 8); i >= 0; --i) {
    auto code = encode_number(static_cast<std::int64_t>(random() >> (11 + random() % 53))).code;
    auto mask = (std::uint64_t{1} << 8 * rest_size(code)) - 1;
    auto one_of = 1 + random() % 40;
    for (std::size_t at = 0; at < ids; ++at) {
      if (random() % one_of == 0) model[code][at] = random() & mask;
    }
  }
  std::erase_if(model, [](const auto& each) { return each.second.empty(); });
  return model;
}

void expect_entry(const BlockRow& row, std::size_t entry,
                  const std::map<std::size_t, std::uint64_t>& members) {
  ASSERT_EQ(row.count(entry), members.size());
  std::size_t n = 0;
  auto next = members.begin();
  for (std::size_t at = 0; at <= row.ids(); ++at) {
    ASSERT_EQ(row.rank(entry, at), n);
    if (at == row.ids()) break;
    bool has = next != members.end() && next->first == at;
    ASSERT_EQ(row.has(entry, at), has);
    if (!has) continue;
    ASSERT_EQ(row.select(entry, n), at);
    ASSERT_EQ(row.rest(entry, n), next->second);
    ++next, ++n;
  }
}

TEST(BlockRowTest, ARowGivesBackWhatWasEncoded) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::size_t ids = 1 + random() % 700;
    auto model = random_model(random, ids);
    auto entries = entries_of(model, ids);
    auto bytes = encode_block_row(ids, entries, true);
    BlockRow row(bytes);
    ASSERT_EQ(row.ids(), ids);
    ASSERT_EQ(row.entries(), model.size());
    std::size_t entry = 0;
    Words half(words_for(ids), 0x5555555555555555);
    for (const auto& [code, members] : model) {
      ASSERT_EQ(row.find(code), entry);
      ASSERT_EQ(row.lower_bound(code), entry);
      if (!model.contains(code + 1)) {
        ASSERT_EQ(row.find(code + 1), row.entries());
      }
      expect_entry(row, entry, members);
      auto even = std::count_if(members.begin(), members.end(),
                                [](const auto& each) { return each.first % 2 == 0; });
      ASSERT_EQ(row.count_in(half, entry), static_cast<std::size_t>(even));
      Words words(words_for(ids));
      row.add_to(words, entry);
      ASSERT_EQ(words, entries[entry].words);
      auto kept = half, others = half;
      ASSERT_EQ(row.keep_in(kept, entry), even > 0);
      ASSERT_EQ(popcount(kept), static_cast<std::size_t>(even));
      ASSERT_EQ(row.remove_from(others, entry), popcount(half) > static_cast<std::size_t>(even));
      ASSERT_EQ(popcount(others), popcount(half) - static_cast<std::size_t>(even));
      ASSERT_FALSE(row.remove_from(words, entry));
      ASSERT_EQ(popcount(words), 0u);
      ++entry;
    }
  }
}

// Reads everything that a row has.
void read_all(std::string_view bytes) {
  BlockRow row(bytes);
  Words words(words_for(row.ids()));
  for (std::size_t entry = 0; entry < row.entries(); ++entry) {
    try {
      row.add_to(words, entry);
      row.remove_from(words, entry);
      row.count_in(words, entry);
      row.find(row.code(entry));
      row.rank(entry, row.ids());
      if (row.count(entry) > 0) row.select(entry, row.count(entry) - 1);
      if (row.count(entry) > 0) row.rest(entry, row.count(entry) - 1);
    } catch (const lmdb::Damaged&) {
    }
  }
}

TEST(BlockRowTest, DamagedBytesAreNeverReadBeyondTheirEnd) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 3000; ++round) {
    std::size_t ids = 1 + random() % 200;
    auto bytes = encode_block_row(ids, entries_of(random_model(random, ids), ids), true);
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] ^= char(1 + random() % 255);
    bytes.resize(bytes.size() - random() % 2 * (random() % bytes.size()));
    std::vector<char> exact(bytes.begin(), bytes.end());  // so that a sanitizer sees its end
    try {
      read_all({exact.data(), exact.size()});
    } catch (const lmdb::Damaged&) {
    }
  }
}

// 3 ids; the number 0 at positions 0 and 2, 33 at position 1 (code 8000000000000020, rest 1).
TEST(BlockRowTest, GoldenBytes) {
  Model model = {{encode_number(0).code, {{0, 0}, {2, 0}}}, {encode_number(33).code, {{1, 1}}}};
  const std::string expected(
      "\x03\0\0\0\x02\0\0\0"
      "\0\0\0\0\0\0\0\x80\x20\0\0\0\0\0\0\x80"
      "\x02\0\x01\0"
      "\x24\0\0\0\x28\0\0\0"
      "\0\0\x02\0"
      "\x01\0\x01",
      43);
  auto entries = entries_of(model, 3);
  EXPECT_EQ(encode_block_row(3, entries, true), expected);
}

}  // namespace
}  // namespace quire::bitmap_index
