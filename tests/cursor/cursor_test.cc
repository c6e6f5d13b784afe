// Cursors: sealed, short, the same for the same position, and refused when they are not ours.
#include "cursor/cursor.h"

#include <gtest/gtest.h>

#include <set>

#include "base/limits.h"
#include "base/text.h"

namespace quire {
namespace {

Seal::Key key(std::uint8_t first) {
  Seal::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(first + i);
  return key;
}

const PageCursor golden_cursor{
    .backward = false,
    .sort = Sort::newest,
    .position = {.id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value()},
    .fingerprint = 0xCF310B21};
constexpr std::string_view golden_token =
    "r12XoPZWHlr2SlM41vyVqAocURlurz-QXw4xjPs-m6buPy8MIMHxrHybtrUX";

Seal seal(std::uint8_t first = 0) {
  return Seal({key(first)});
}

bool refuses(const Seal& seal, std::string_view token) {
  auto opened = seal.open(token);
  return !opened && opened.error().code == ErrorCode::invalid_cursor;
}

// People keep cursors in links: these bytes change only together with the version.
TEST(Cursor, HasTheBytesOfItsSpecification) {
  EXPECT_EQ(seal().seal(golden_cursor), golden_token);
  EXPECT_EQ(seal().open(golden_token).value(), golden_cursor);
}

TEST(Cursor, BackwardAndSortAreFlags) {
  auto cursor = golden_cursor;
  cursor.backward = true;
  cursor.sort = Sort::oldest;
  EXPECT_EQ(seal().seal(cursor), "OJkVRbwIYVCI6CTtDLAqh12l-86lvPJQaUYqYXUGpkmCewr8YqM86VOBI5cR");
}

TEST(Cursor, AValueIsPartOfThePosition) {
  auto cursor = golden_cursor;
  cursor.sort = Sort::highest;
  cursor.position.value = 4;
  EXPECT_EQ(seal().seal(cursor), "SgDmXFUUzJpiyJl7OdQu7opZZa1FrfQzKM5RfWhgVWImkY61kORQe-Dftx25");
  cursor.position.value = -2;
  EXPECT_EQ(seal().seal(cursor), "GM2I9vxBO7fmeGUMN-Z6DapjsnaOg9DcAOp72pNgA6XQdmHH3B-gr5mYQUdX");
}

TEST(Cursor, IsOpenedAsItWasSealed) {
  constexpr std::int64_t far = std::int64_t{1} << 53;
  const std::optional<std::int64_t> values[] = {
      std::nullopt, 0, 1, 5, -1, 255, 256, -256, far - 1, -far + 1, -(4 * far)};
  for (bool backward : {false, true}) {
    for (Sort sort : {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest}) {
      for (std::uint32_t fingerprint : {0u, 1u, 0x80000000u, 0xFFFFFFFFu}) {
        for (Ulid id : {Ulid{}, golden_cursor.position.id, Ulid::make(Ulid::max_ms, {0xFF})}) {
          for (auto value : values) {
            PageCursor cursor{backward, sort, {id, value}, fingerprint};
            EXPECT_EQ(seal().open(seal().seal(cursor)).value(), cursor);
          }
        }
      }
    }
  }
}

TEST(Cursor, IsShortAndNeedsNoEscapingInALink) {
  auto token = seal().seal(golden_cursor);
  EXPECT_EQ(token.size(), 60u);
  EXPECT_LE(token.size(), limits::cursor_characters);
  EXPECT_EQ(
      token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
      token.npos);
}

TEST(Cursor, OfTheSamePositionIsTheSame) {
  Seal one = seal();
  EXPECT_EQ(one.seal(golden_cursor), one.seal(golden_cursor));
}

TEST(Cursor, OfAnotherPositionSharesNothingWithIt) {
  // The tag covers everything, so neighbours must not look alike even at their beginning.
  std::set<std::string> beginnings;
  PageCursor cursor = golden_cursor;
  for (int i = 0; i < 100; ++i, cursor.position.id = cursor.position.id.next()) {
    EXPECT_TRUE(beginnings.insert(seal().seal(cursor).substr(0, 8)).second);
  }
}

TEST(Cursor, WithAnySingleBitFlippedIsRefused) {
  Seal ours = seal();
  auto sealed = base64url_decode(golden_token).value();
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    auto forged = sealed;
    forged[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_TRUE(refuses(ours, base64url_encode(forged))) << bit;
  }
}

TEST(Cursor, WithAnyOtherCharacterInAnyPlaceIsRefused) {
  Seal ours = seal();
  for (std::size_t at = 0; at < golden_token.size(); ++at) {
    for (char c : std::string_view("Aa0-_ =+/%\n\x80\0", 13)) {
      std::string forged(golden_token);
      if (forged[at] == c) continue;
      forged[at] = c;
      EXPECT_TRUE(refuses(ours, forged)) << at;
    }
  }
}

TEST(Cursor, OfEveryWrongLengthIsRefused) {
  Seal ours = seal();
  std::string longer = std::string(golden_token) + std::string(golden_token);
  for (std::size_t size = 0; size <= longer.size(); ++size) {
    EXPECT_EQ(ours.open(longer.substr(0, size)).ok(), size == 60) << size;
    if (size != 60) {
      EXPECT_TRUE(refuses(ours, std::string(size, 'A'))) << size;
    }
  }
  EXPECT_TRUE(refuses(ours, std::string(1 << 20, 'A')));
}

TEST(Cursor, IsRefusedAlsoAfterOneThatWasTaken) {
  // Contexts of OpenSSL before 3.0.9 let a forgery pass when they were used again.
  Seal ours = seal();
  std::string forged(golden_token);
  forged.back() ^= 1;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(ours.open(golden_token).ok());
    EXPECT_TRUE(refuses(ours, forged));
  }
}

TEST(Cursor, OfAnotherKeyIsRefused) {
  EXPECT_TRUE(refuses(seal(1), golden_token));
}

TEST(Cursor, EachHalfOfTheKeyCounts) {
  for (std::size_t byte = 0; byte < Seal::key_size; ++byte) {
    auto other = key(0);
    other[byte] ^= 1;
    EXPECT_TRUE(refuses(Seal({other}), golden_token)) << byte;
  }
}

TEST(Cursor, OfAnUnknownSortIsRefused) {
  for (int sort = 4; sort < 64; ++sort) {
    PageCursor cursor = golden_cursor;
    cursor.sort = static_cast<Sort>(sort);
    EXPECT_TRUE(refuses(seal(), seal().seal(cursor))) << sort;
  }
}

TEST(KeyRotation, TheFirstKeySeals) {
  EXPECT_EQ(Seal({key(0), key(1)}).seal(golden_cursor), golden_token);
  EXPECT_NE(Seal({key(1), key(0)}).seal(golden_cursor), golden_token);
}

TEST(KeyRotation, AnOlderKeyStillOpens) {
  EXPECT_EQ(Seal({key(1), key(0)}).open(golden_token).value(), golden_cursor);
  EXPECT_EQ(Seal({key(2), key(1), key(0)}).open(golden_token).value(), golden_cursor);
}

TEST(KeyRotation, ADroppedKeyOpensNoMore) {
  EXPECT_TRUE(refuses(Seal({key(2), key(1)}), golden_token));
}

TEST(KeyRotation, ASealWithoutAKeyCannotBeMade) {
  EXPECT_THROW(Seal(std::vector<Seal::Key>{}), std::invalid_argument);
}

}  // namespace
}  // namespace quire
