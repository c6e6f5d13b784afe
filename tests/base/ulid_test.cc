// Ids: text, time and order. The vectors are from https://github.com/ulid/spec.
#include "quire/ulid.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

Ulid id(std::string_view text) {
  return Ulid::parse(text).value();
}

constexpr std::string_view lowest = "00000000000000000000000000";
constexpr std::string_view highest = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

TEST(Ulid, TextAndBytesMatchTheSpecification) {
  std::array<std::uint8_t, 16> bytes{0x01, 0x56, 0x3E, 0x3A, 0xB5, 0xD3, 0xD6, 0x76,
                                     0x4C, 0x61, 0xEF, 0xB9, 0x93, 0x02, 0xBD, 0x5B};
  EXPECT_EQ(id("01ARZ3NDEKTSV4RRFFQ69G5FAV").bytes, bytes);
  EXPECT_EQ(Ulid{bytes}.text(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

TEST(Ulid, TheFirstTenCharactersAreTheTime) {
  EXPECT_EQ(id("01ARYZ6S41TSV4RRFFQ69G5FAV").ms(), 1469918176385u);
  EXPECT_EQ(Ulid::make(1469918176385, {}).text(), "01ARYZ6S410000000000000000");
  EXPECT_EQ(id(highest).ms(), 281474976710655u);
}

TEST(Ulid, MakeKeepsEveryByteOfTheEntropyInPlace) {
  Ulid made = Ulid::make(0x010203040506, {7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  for (int i = 0; i < 16; ++i) EXPECT_EQ(made.bytes[i], i + 1);
}

TEST(Ulid, MakeDropsTheBitsOfATimeAbove48) {
  EXPECT_EQ(Ulid::make((std::uint64_t{1} << 48) | 5, {}), Ulid::make(5, {}));
}

TEST(Ulid, LowerCaseNamesTheSameId) {
  EXPECT_EQ(id("01arz3ndektsv4rrffq69g5fav"), id("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
}

TEST(Ulid, EveryByteSurvivesTheConversionToText) {
  for (std::size_t at = 0; at < Ulid::size; ++at) {
    for (int value = 0; value < 256; ++value) {
      Ulid one;
      one.bytes[at] = static_cast<std::uint8_t>(value);
      EXPECT_EQ(Ulid::parse(one.text()), one);
    }
  }
}

TEST(Ulid, ValuesOver128BitsAreRefused) {
  EXPECT_TRUE(Ulid::parse(highest));
  EXPECT_FALSE(Ulid::parse("80000000000000000000000000"));
  EXPECT_FALSE(Ulid::parse("ZZZZZZZZZZZZZZZZZZZZZZZZZZ"));
}

TEST(Ulid, OnlyTextsOf26CharactersParse) {
  std::string text(60, '0');
  for (std::size_t size = 0; size <= text.size(); ++size) {
    EXPECT_EQ(Ulid::parse(std::string_view(text).substr(0, size)).has_value(), size == 26) << size;
  }
}

TEST(Ulid, OnlyThe32DigitsInEitherCaseParse) {
  constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz";
  for (int c = 0; c < 256; ++c) {
    std::string text(lowest);
    text.back() = static_cast<char>(c);
    EXPECT_EQ(Ulid::parse(text).has_value(), digits.find(text.back()) != digits.npos) << c;
  }
}

TEST(Ulid, BytesTextsAndIdsSortAlike) {
  Ulid older = Ulid::make(255, {0xFF}), newer = Ulid::make(256, {});
  EXPECT_LT(older, newer);
  EXPECT_LT(older.text(), newer.text());
  EXPECT_LT(older.view(), newer.view());
}

TEST(Ulid, NextIsTheSpecificationsMonotonicStep) {
  EXPECT_EQ(id("01BX5ZZKBKACTAV9WEVGEMMVRY").next().text(), "01BX5ZZKBKACTAV9WEVGEMMVRZ");
  EXPECT_EQ(id("01BX5ZZKBKACTAV9WEVGEMMVRZ").next().text(), "01BX5ZZKBKACTAV9WEVGEMMVS0");
  EXPECT_EQ(id("01BX5ZZKBKZZZZZZZZZZZZZZZX").next().text(), "01BX5ZZKBKZZZZZZZZZZZZZZZY");
}

TEST(Ulid, NextAndPreviousCarryThroughEveryByte) {
  for (std::size_t low = 1; low < Ulid::size; ++low) {
    Ulid full, carried;
    for (std::size_t i = low; i < Ulid::size; ++i) full.bytes[i] = 0xFF;
    carried.bytes[low - 1] = 1;
    EXPECT_EQ(full.next(), carried) << low;
    EXPECT_EQ(carried.previous(), full) << low;
  }
}

TEST(Ulid, TheSmallestAndTheLargestIdHaveOneNeighbour) {
  EXPECT_EQ(id(lowest).previous(), id(lowest));
  EXPECT_EQ(id(highest).next(), id(highest));
  EXPECT_EQ(id(lowest).next().previous(), id(lowest));
  EXPECT_EQ(id(highest).previous().next(), id(highest));
}

}  // namespace
}  // namespace quire
