// Keys and rows of the embedded store, byte for byte as docs/formats/store.md shows them. A change
// makes stores on disk unreadable, so it needs a new format version.
#include "store/embedded/format/rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lmdb/sealed.h"
#include "store/embedded/format/golden.h"

namespace quire::embedded {
namespace {

// A product of two languages.
ProductRow golden_row() {
  return {6,
          258,
          {{cell("de", 1)[language_facet], {0, 0, 0, 1, 0}},
           {cell("en", 1)[language_facet], {1, 2, 3, 4, 0x0102030405060708}}}};
}

constexpr std::string_view golden_row_hex =
    "01000000"
    "00000006"
    "0000000000000102"
    "0000085000000000"
    "0000000000000000"
    "0000000000000000"
    "0000000000000000"
    "0000000000000001"
    "0000000000000000"
    "00000ae000000000"
    "0000000000000001"
    "0000000000000002"
    "0000000000000003"
    "0000000000000004"
    "0102030405060708";

TEST(StoreFormat, HasItsVersion) {
  EXPECT_EQ(hex(format_row()), hex("quire-comments") + "00000009");
}

TEST(StoreFormat, ARequestKeyRowIsTimeBodyCommentAndResponse) {
  OnceRow row{0x0102030405060708, {0xAA}, golden_id, "answer"};
  auto bytes = encode_once(row);
  EXPECT_EQ(hex(bytes),
            "0102030405060708"
            "aa000000000000000000000000000000"
            "019349727cfbd6764c61efb99302bd5b" +
                hex("answer"));
  EXPECT_EQ(encode_once(decode_once(bytes)), bytes);
  EXPECT_THROW(decode_once(std::string_view(bytes).substr(0, 39)), std::runtime_error);
  EXPECT_EQ(hex(by_time_key(258, "key")), "0000000000000102" + hex("key"));
}

TEST(StoreFormat, TheIdOfARemovedCommentHasASealAlone) {
  EXPECT_EQ(hex(lmdb::sealed(lmdb::seal_seed("removed"), golden_id.view(), "")), "cb9c8255");
}

TEST(StoreFormat, ACommentKeyIsTheNumberOfTheProductAndTheId) {
  EXPECT_EQ(hex(comment_key(6, golden_id)),
            "00000006"
            "019349727cfbd6764c61efb99302bd5b");
}

TEST(StoreFormat, LeaderKeysSortTheBestFirst) {
  auto english = cell("en", 1)[language_facet];
  RatingCounts counts{0, 0, 0, 1, 2};
  EXPECT_EQ(hex(leader_key(LeaderKind::five_star, any, "42", counts).value()),
            "00"
            "0000000000000000"
            "fffffffffffffffd"
            "3432");
  EXPECT_EQ(hex(leader_key(LeaderKind::average, english, "42", counts).value()),
            "01"
            "00000ae000000000"
            "ffffffffffd4824c"
            "3432");
  EXPECT_FALSE(leader_key(LeaderKind::five_star, any, "42", {9, 9, 9, 9, 0}));
  EXPECT_FALSE(leader_key(LeaderKind::average, any, "42", {}));
  EXPECT_EQ(leader_product(*leader_key(LeaderKind::average, english, "a/b", counts)), "a/b");
}

TEST(StoreFormat, ACommentKeyEndsInTheId) {
  EXPECT_EQ(id_at_end(comment_key(6, golden_id)), golden_id);
  EXPECT_THROW(id_at_end("too short"), std::runtime_error);
}

TEST(StoreFormat, CommentKeysSortByProductThenById) {
  auto text = [](const auto& key) { return std::string(std::string_view(key)); };
  EXPECT_LT(text(comment_key(255, golden_id)), text(comment_key(256, Ulid{})));
  EXPECT_LT(text(comment_key(256, golden_id)), text(comment_key(256, golden_id.next())));
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

TEST(StoreFormat, AProductRowIsNumberGenerationAndLanguages) {
  EXPECT_EQ(hex(encode_product(golden_row())), golden_row_hex);
}

TEST(StoreFormat, AProductRowIsReadBackUnchanged) {
  auto bytes = encode_product(golden_row());
  ProductRow row = decode_product(bytes);
  EXPECT_EQ(row.number, 6u);
  EXPECT_EQ(row.generation, 258u);
  ASSERT_EQ(row.languages.size(), 2u);
  EXPECT_EQ(row.languages[1].comments[4], 0x0102030405060708u);
  EXPECT_EQ(encode_product(row), bytes);
  EXPECT_EQ(encode_product(decode_product(encode_product({1, 2, {}}))), encode_product({1, 2, {}}));
}

TEST(StoreFormat, LanguagesOfAProductRowStaySorted) {
  ProductRow row;
  for (const char* language : {"en", "de", "zh-Hant", "pt-BR", "de", "und"})
    ++row.count(cell(language, 4));
  EXPECT_EQ(row.languages.size(), 5u);
  EXPECT_TRUE(std::is_sorted(row.languages.begin(), row.languages.end(),
                             [](auto& a, auto& b) { return a.language < b.language; }));
  EXPECT_EQ(row.find(cell("de", 4)[language_facet])->comments, (RatingCounts{0, 0, 0, 2, 0}));
  EXPECT_EQ(row.find(cell("fr", 4)[language_facet]), nullptr);
}

TEST(StoreFormat, ADamagedRowIsRefused) {
  auto bytes = encode_product(golden_row());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (size == 16 || size == 64) continue;  // rows of fewer languages
    EXPECT_THROW(decode_product(bytes.substr(0, size)), std::runtime_error) << size;
  }
  for (char version : {'\0', '\2', '\xFF'}) {
    bytes[0] = version;
    EXPECT_THROW(decode_product(bytes), std::runtime_error);
  }
}

TEST(StoreFormat, CountsFollowFromTheRow) {
  Counts counts = golden_row().counts();
  EXPECT_EQ(counts.length(cell("de", 4)), 1u);
  EXPECT_EQ(counts.length({any, 4}), 5u);
  EXPECT_EQ(counts.rows().size(), 6u);
}

}  // namespace
}  // namespace quire::embedded
