// Keys and product rows of the embedded store, byte for byte as docs/formats/store.md has them.
// If one of these changes, stores on disk can no longer be read: the format version must change,
// too.
#include "store/lmdb/format.h"

#include <gtest/gtest.h>

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

// Two languages, block 6 for the lists of any language.
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

TEST(StoreFormat, IsVersionOne) {
  EXPECT_EQ(format_version, 1u);
  EXPECT_EQ(format_magic, "quire-store");
}

TEST(StoreFormat, ACommentsKeyIsItsProductsBlockAndItsId) {
  EXPECT_EQ(hex(comment_key(6, id)),
            "00000006"
            "019349727cfbd6764c61efb99302bd5b");
}

TEST(StoreFormat, AnEntrysKeyIsItsListItsLevelAndItsId) {
  EXPECT_EQ(hex(entry_key(61, id)),
            "0000003d"
            "00"
            "019349727cfbd6764c61efb99302bd5b");
}

TEST(StoreFormat, BothKeysEndInTheId) {
  EXPECT_EQ(id_at_end(comment_key(6, id)), id);
  EXPECT_EQ(id_at_end(entry_key(61, id)), id);
  EXPECT_THROW(id_at_end("too short"), std::runtime_error);
}

TEST(StoreFormat, KeysSortByTheirNumberThenById) {
  auto below = entry_key(255, id), above = entry_key(256, Ulid{});
  EXPECT_LT(std::string(below), std::string(above));
  EXPECT_LT(std::string(std::string_view(entry_key(256, id))),
            std::string(std::string_view(entry_key(256, id.next()))));
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

TEST(StoreFormat, AProductsRowIsItsBlockAndItsLanguages) {
  EXPECT_EQ(hex(encode_product(golden_row())), golden_row_hex);
}

TEST(StoreFormat, AProductsRowIsReadBackAsItWas) {
  auto bytes = encode_product(golden_row());
  ProductRow row = decode_product(bytes);
  EXPECT_EQ(row.block, 6u);
  ASSERT_EQ(row.languages.size(), 2u);
  EXPECT_EQ(row.languages[1].comments[4], 0x0102030405060708u);
  EXPECT_EQ(encode_product(row), bytes);
  EXPECT_EQ(encode_product(decode_product(encode_product({1, {}}))), encode_product({1, {}}));
}

TEST(StoreFormat, ADamagedRowIsNoProduct) {
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

TEST(StoreFormat, AListsNumberIsItsBlockAndItsRating) {
  ProductRow row = golden_row();
  auto english = cell("en", 1)[language_facet], german = cell("de", 1)[language_facet];
  EXPECT_EQ(row.list_number(Cell{}), 48u);
  EXPECT_EQ(row.list_number({any, 5}), 53u);
  EXPECT_EQ(row.list_number({english, any}), 56u);
  EXPECT_EQ(row.list_number({english, 5}), 61u);
  EXPECT_EQ(row.list_number({german, 1}), 65u);
  EXPECT_EQ(row.list_number(cell("fr", 5)), std::nullopt);
}

TEST(StoreFormat, TheLastBlocksListsStillHaveNumbers) {
  ProductRow row{last_block, {}};
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
