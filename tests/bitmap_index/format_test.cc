// The bytes in docs/formats/bitmap-index.md.
#include <gtest/gtest.h>

#include "bitmap_index/index_model.h"
#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {
namespace {

class FormatTest : public IndexTest {
 protected:
  FormatTest() : IndexTest(Databases{}.block_bits, Databases{}.group_bits) {
    db_.hash_key = 0x0123456789ABCDEF;
  }

  std::vector<Value> values(std::string_view size, std::int64_t votes) const {
    auto [code, rest] = encode_number(votes);
    return {{2, code_of_text(db_.hash_key, size), 0, false, size}, {3, code, rest, true, {}}};
  }

  // "key = value" a line, in hexadecimal.
  static std::vector<std::string> lines(const std::map<std::string, std::string>& rows) {
    std::vector<std::string> lines;
    for (const auto& [key, value] : rows) lines.push_back(hex(key) + " = " + hex(value));
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST_F(FormatTest, ThreeIdsOfWhichTheLastStartsABlock) {
  auto first = *Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV"),
       second = *Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF"),
       third = *Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D9PF");
  EXPECT_EQ(level_of(db_, second), 0);
  EXPECT_EQ(level_of(db_, third), 1);
  lmdb::WriteTransaction txn(environment_);
  std::vector<Change> changes = {
      {first, values("S", 4)}, {second, values("XL", 1000)}, {third, values("S", 4)}};
  IndexEdit(db_, txn).apply(7, changes);
  auto rows = read_index(txn.get(), db_);
  EXPECT_EQ(hex(rows.ids[7]),
            "019349727cfbd6764c61efb99302bd5b"
            "01934bf98f68b9b83a814959d85689cf"
            "01934bf98f68b9b83a814959d856a6cf");
  EXPECT_EQ(lines(rows.blocks), (Lines{"00000007000200000000000000000000000000000000 = "
                                       "0200000002000000bc66bd6fb3961a485cee68c6c96a27a0"
                                       "010001002400000026000000"
                                       "01000000",
                                       "00000007000201934bf98f68b9b83a814959d856a6cf = "
                                       "01000000010000005cee68c6c96a27a00100160000000000",
                                       "00000007000300000000000000000000000000000000 = "
                                       "020000000200000004000000000000806f00000000000080"
                                       "010001002400000026000000"
                                       "0000010008",
                                       "00000007000301934bf98f68b9b83a814959d856a6cf = "
                                       "010000000100000004000000000000800100160000000000"}));
  EXPECT_EQ(lines(rows.counts),
            (Lines{"000000070002481a96b36fbd66bc0100000000000000000000000000000000 = "
                   "0000000000000001",
                   "000000070002a0276ac9c668ee5c0100000000000000000000000000000000 = "
                   "0000000000000002",
                   "00000007000380000000000000040100000000000000000000000000000000 = "
                   "0000000000000002",
                   "000000070003800000000000006f0100000000000000000000000000000000 = "
                   "0000000000000001",
                   "00000007ffff00000000000000000000000000000000000000000000000000 = "
                   "0000000000000002",
                   "00000007ffff00000000000000000001934bf98f68b9b83a814959d856a6cf = "
                   "0000000000000001",
                   "00000007ffff00000000000000000100000000000000000000000000000000 = "
                   "0000000000000003"}));
  EXPECT_EQ(lines(read_rows(txn.get(), db_.texts)),
            (Lines{"0002481a96b36fbd66bc = 584c", "0002a0276ac9c668ee5c = 53"}));
}

TEST_F(FormatTest, AValueOfManyIdsIsABitmap) {
  std::vector<Change> changes;
  for (std::uint8_t i = 0; i < 6; ++i) {
    Ulid id;
    id.bytes[0] = i;
    changes.push_back({id, std::vector<Value>{{2, i == 3 ? 0u : 1u, 0, false, {}}}});
  }
  lmdb::WriteTransaction txn(environment_);
  IndexEdit(db_, txn).apply(7, changes);
  EXPECT_EQ(lines(read_index(txn.get(), db_).blocks),
            (Lines{"00000007000200000000000000000000000000000000 = "
                   "060000000200000000000000000000000100000000000000"
                   "010005002400000026000000"
                   "03003700000000000000"}));
}

}  // namespace
}  // namespace quire::bitmap_index
