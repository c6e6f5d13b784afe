// Rows of facets, byte for byte as docs/formats/store.md shows them.
#include "store/embedded/format/rows.h"

#include <gtest/gtest.h>
#include "store/embedded/format/golden.h"

namespace quire::embedded {
namespace {

using State = FacetStatus::State;

FacetRow golden_facet() {
  return {.number = 258,
          .state = State::building,
          .facet = {"size", FacetType::choice, {"S", "XL"}},
          .built = comment_key(6, golden_id),
          .passed = 772};
}

TEST(FacetRows, ARowIsStateTypeProgressNameAndValues) {
  EXPECT_EQ(hex(facet_key(258)), "0102");
  EXPECT_EQ(hex(encode_facet(golden_facet())),
            "01010101"
            "0000000000000304"
            "00000006019349727cfbd6764c61efb99302bd5b"
            "000473697a65"
            "000153"
            "0002584c");
  FacetRow ready{.number = 2, .facet = {"verified", FacetType::flag}};
  EXPECT_EQ(hex(encode_facet(ready)),
            "01000000"
            "0000000000000000" +
                std::string(40, '0') + "00087665726966696564");
}

TEST(FacetRows, ARowIsReadBackUnchanged) {
  for (auto type : {FacetType::flag, FacetType::choice, FacetType::tags, FacetType::number}) {
    for (auto state : {State::ready, State::building, State::dropping}) {
      for (bool begun : {false, true}) {
        FacetRow row = golden_facet();
        row.facet.type = type;
        row.state = state;
        if (!begun) row.built = {};
        auto bytes = encode_facet(row);
        auto read = decode_facet(facet_key(258), bytes);
        EXPECT_EQ(read.number, 258);
        EXPECT_EQ(read.state, state);
        EXPECT_EQ(read.facet.type, type);
        EXPECT_EQ(read.facet.name, "size");
        EXPECT_EQ(read.facet.values, row.facet.values);
        EXPECT_EQ(read.built.has_value(), begun);
        EXPECT_EQ(read.passed, 772u);
        EXPECT_EQ(encode_facet(read), bytes);
      }
    }
  }
}

TEST(FacetRows, ADamagedRowIsRefused) {
  auto bytes = encode_facet(golden_facet());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (size == 38 || size == 41) continue;  // rows of fewer values
    EXPECT_THROW(decode_facet(facet_key(2), bytes.substr(0, size)), std::runtime_error) << size;
  }
  EXPECT_THROW(decode_facet("key", bytes), std::runtime_error);
  EXPECT_NO_THROW(decode_facet(facet_key(2), bytes));
  for (FacetNumber number : {language_number, rating_number, no_facet})
    EXPECT_THROW(decode_facet(facet_key(number), bytes), std::runtime_error) << number;
  const std::pair<std::size_t, char> wrong[] = {
      {0, 0}, {0, 2}, {1, 3}, {1, '\xFF'}, {2, 4}, {2, '\x80'}, {3, 2}, {3, '\xFF'}, {33, '\x7F'}};
  for (auto [at, byte] : wrong) {
    auto damaged = bytes;
    damaged[at] = byte;
    EXPECT_THROW(decode_facet(facet_key(2), damaged), std::runtime_error) << at;
  }
}

TEST(FacetRows, TheSchemaIsItsVersionAndTheNextNumber) {
  EXPECT_EQ(hex(encode_schema({})), "00000000000000000002");
  EXPECT_EQ(hex(encode_schema({0x0102030405060708, 258})), "01020304050607080102");
  auto row = decode_schema(encode_schema({9, 300}));
  EXPECT_EQ(row.version, 9u);
  EXPECT_EQ(row.next, 300);
  for (const char* bytes : {"", "123456789", "12345678901"})
    EXPECT_THROW(decode_schema(bytes), std::runtime_error);
}

}  // namespace
}  // namespace quire::embedded
