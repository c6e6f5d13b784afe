// Keys and rows of the embedded store, byte for byte as docs/formats/store.md shows them. A change
// makes stores on disk unreadable, so it needs a new format version.
#include "store/embedded/format.h"

#include <gtest/gtest.h>

#include "lmdb/ranked_set.h"

namespace quire::embedded {
namespace {

const Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();

std::string hex(std::string_view bytes) {
  std::string out;
  for (unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

// A product of two languages. Block 6 has the lists of any language.
ProductRow golden_row() {
  return {6,
          {{cell("de", 1)[language_facet], 8, {0, 0, 0, 1, 0}},
           {cell("en", 1)[language_facet], 7, {1, 2, 3, 4, 0x0102030405060708}}}};
}

constexpr std::string_view golden_row_hex =
    "01000000"
    "00000006"
    "00646500"
    "00000008"
    "0000000000000000"
    "0000000000000000"
    "0000000000000000"
    "0000000000000001"
    "0000000000000000"
    "00656e00"
    "00000007"
    "0000000000000001"
    "0000000000000002"
    "0000000000000003"
    "0000000000000004"
    "0102030405060708";

TEST(StoreFormat, IsVersionThree) {
  EXPECT_EQ(format_version, 3u);
  EXPECT_EQ(hex(format_row(format_version)), hex("quire-store") + "00000003");
}

TEST(StoreFormat, ARequestKeyRowIsTimeBodyCommentAndResponse) {
  OnceRow row{0x0102030405060708, {0xAA}, id, "answer"};
  auto bytes = encode_once(row);
  EXPECT_EQ(hex(bytes),
            "0102030405060708"
            "aa000000000000000000000000000000"
            "019349727cfbd6764c61efb99302bd5b" +
                hex("answer"));
  EXPECT_EQ(encode_once(decode_once(bytes)), bytes);
  EXPECT_THROW(decode_once(std::string_view(bytes).substr(0, 39)), std::runtime_error);
  EXPECT_EQ(hex(once_by_time_key(258, "key")), "0000000000000102" + hex("key"));
}

TEST(StoreFormat, ACommentKeyIsTheBlockOfTheProductAndTheId) {
  EXPECT_EQ(hex(comment_key(6, id)),
            "00000006"
            "019349727cfbd6764c61efb99302bd5b");
}

TEST(StoreFormat, AnEntryKeyIsListLevelAndId) {
  EXPECT_EQ(hex(lmdb::RankedKey(61, 0, id)),
            "0000003d"
            "00"
            "019349727cfbd6764c61efb99302bd5b");
  EXPECT_EQ(hex(lmdb::RankedKey(61, 2)), "0000003d02");
}

// The hash decides the level of an id, so it is part of the format.
TEST(StoreFormat, TheLevelOfAnIdIsFixed) {
  std::array<std::uint64_t, 4> first{};
  for (std::uint64_t i = 1; first[3] == 0; ++i) {
    std::array<std::uint8_t, 10> entropy{};
    for (int byte = 0; byte < 8; ++byte)
      entropy[9 - byte] = static_cast<std::uint8_t>(i >> 8 * byte);
    for (int level = lmdb::level_of(Ulid::make(1000, entropy)); level >= 0; --level) {
      if (level < 4 && first[level] == 0) first[level] = i;
    }
  }
  EXPECT_EQ(first, (std::array<std::uint64_t, 4>{1, 100, 121, 37366}));
}

TEST(StoreFormat, LeaderKeysSortTheBestFirst) {
  auto english = cell("en", 1)[language_facet];
  RatingCounts counts{0, 0, 0, 1, 2};
  EXPECT_EQ(hex(leader_key(LeaderKind::five_star, any, "42", counts).value()),
            "00"
            "00000000"
            "fffffffffffffffd"
            "3432");
  EXPECT_EQ(hex(leader_key(LeaderKind::average, english, "42", counts).value()),
            "01"
            "00656e00"
            "ffffffffffd4824c"
            "3432");
  EXPECT_FALSE(leader_key(LeaderKind::five_star, any, "42", {9, 9, 9, 9, 0}));
  EXPECT_FALSE(leader_key(LeaderKind::average, any, "42", {}));
  EXPECT_EQ(leader_product(*leader_key(LeaderKind::average, english, "a/b", counts)), "a/b");
}

TEST(StoreFormat, BothKeysEndInTheId) {
  EXPECT_EQ(id_at_end(comment_key(6, id)), id);
  EXPECT_EQ(id_at_end(lmdb::RankedKey(61, 0, id)), id);
  EXPECT_THROW(id_at_end("too short"), std::runtime_error);
}

TEST(StoreFormat, KeysSortByTheirNumberThenById) {
  auto text = [](const lmdb::RankedKey& key) { return std::string(std::string_view(key)); };
  EXPECT_LT(text({255, 0, id}), text({256, 0, Ulid{}}));
  EXPECT_LT(text({256, 0, id}), text({256, 0, id.next()}));
  EXPECT_LT(text({256, 0, id}), text({256, 1}));
  EXPECT_LT(text({256, 1}), text({256, 1, Ulid{}}));
}

TEST(StoreFormat, NumbersAreBigEndian) {
  std::string out(8, '\0');
  put_u64(out.data(), 0x0102030405060708);
  EXPECT_EQ(hex(out), "0102030405060708");
  EXPECT_EQ(get_u64(out.data()), 0x0102030405060708u);
  put_u32(out.data(), 0xFFFEFDFC);
  EXPECT_EQ(hex(out), "fffefdfc05060708");
  EXPECT_EQ(get_u32(out.data()), 0xFFFEFDFCu);
}

TEST(StoreFormat, AProductRowIsItsBlockAndItsLanguages) {
  EXPECT_EQ(hex(encode_product(golden_row())), golden_row_hex);
}

TEST(StoreFormat, AProductRowIsReadBackUnchanged) {
  auto bytes = encode_product(golden_row());
  ProductRow row = decode_product(bytes);
  EXPECT_EQ(row.block, 6u);
  ASSERT_EQ(row.languages.size(), 2u);
  EXPECT_EQ(row.languages[1].comments[4], 0x0102030405060708u);
  EXPECT_EQ(encode_product(row), bytes);
  EXPECT_EQ(encode_product(decode_product(encode_product({1, {}}))), encode_product({1, {}}));
}

TEST(StoreFormat, ADamagedRowIsRefused) {
  auto bytes = encode_product(golden_row());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (size == 8 || size == 56) continue;  // rows of fewer languages
    EXPECT_THROW(decode_product(bytes.substr(0, size)), std::runtime_error) << size;
  }
  for (char version : {'\0', '\2', '\xFF'}) {
    bytes[0] = version;
    EXPECT_THROW(decode_product(bytes), std::runtime_error);
  }
}

TEST(StoreFormat, AListNumberIsBlockAndRating) {
  ProductRow row = golden_row();
  auto english = cell("en", 1)[language_facet], german = cell("de", 1)[language_facet];
  EXPECT_EQ(row.list_number(Cell{}), 48u);
  EXPECT_EQ(row.list_number({any, 5}), 53u);
  EXPECT_EQ(row.list_number({english, any}), 56u);
  EXPECT_EQ(row.list_number({english, 5}), 61u);
  EXPECT_EQ(row.list_number({german, 1}), 65u);
  EXPECT_EQ(row.list_number(cell("fr", 5)), std::nullopt);
}

TEST(StoreFormat, TheListsOfTheLastBlockHaveNumbers) {
  ProductRow row{max_block, {}};
  EXPECT_EQ(row.list_number({any, 5}), 0xFFFFFFFDu);
}

TEST(StoreFormat, CountsFollowFromTheRow) {
  Counts counts = golden_row().counts();
  EXPECT_EQ(counts.length(cell("de", 4)), 1u);
  EXPECT_EQ(counts.length({any, 4}), 5u);
  EXPECT_EQ(counts.rows().size(), 6u);
}

}  // namespace
}  // namespace quire::embedded
