// base64url, percent-encoding, hex and hashes, against the vectors of their specifications.
#include <gtest/gtest.h>

#include <set>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"

namespace quire {
namespace {

std::vector<std::uint8_t> bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

TEST(Base64Url, MatchesRfc4648WithoutPadding) {
  EXPECT_EQ(base64url_encode(bytes("")), "");
  EXPECT_EQ(base64url_encode(bytes("f")), "Zg");
  EXPECT_EQ(base64url_encode(bytes("fo")), "Zm8");
  EXPECT_EQ(base64url_encode(bytes("foo")), "Zm9v");
  EXPECT_EQ(base64url_encode(bytes("foob")), "Zm9vYg");
  EXPECT_EQ(base64url_encode(bytes("fooba")), "Zm9vYmE");
  EXPECT_EQ(base64url_encode(bytes("foobar")), "Zm9vYmFy");
  EXPECT_EQ(base64url_encode(bytes("\xFB\xFF\xBE")), "-_--");
}

TEST(Base64Url, ReadsBackWhatItWrote) {
  std::vector<std::uint8_t> value;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(base64url_decode(base64url_encode(value)), value);
    value.push_back(static_cast<std::uint8_t>(i * 37));
  }
}

TEST(Base64Url, EveryValueHasOneTextOnly) {
  // Of all texts of two or three characters, exactly as many can be decoded as there are values of
  // one or two bytes.
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::set<std::vector<std::uint8_t>> ones, twos;
  std::size_t read = 0;
  for (char a : digits) {
    for (char b : digits) {
      if (auto value = base64url_decode(std::string{a, b})) read += ones.insert(*value).second;
      for (char c : digits) {
        if (auto value = base64url_decode(std::string{a, b, c})) {
          EXPECT_TRUE(twos.insert(*value).second);
        }
      }
    }
  }
  EXPECT_EQ(read, 256u);
  EXPECT_EQ(twos.size(), 65536u);
}

TEST(Base64Url, RefusesOtherCharactersAndLengths) {
  for (std::string_view text :
       {"A", "AAAAA", "Zg==", "Zm9v\n", "Zm+v", "Zm/v", " Zm9", "Zm\xC3\xA9"}) {
    EXPECT_FALSE(base64url_decode(text)) << text;
  }
  EXPECT_FALSE(base64url_decode(std::string_view("Zm\0v", 4)));
}

TEST(Percent, KeepsTheUnreservedCharactersAndEncodesEveryOtherByte) {
  for (int c = 0; c < 256; ++c) {
    char byte = static_cast<char>(c);
    bool unreserved = (c < 128 && std::isalnum(c)) || std::string_view("-._~").find(byte) < 4;
    auto encoded = percent_encode({&byte, 1});
    EXPECT_EQ(encoded.size(), unreserved ? 1u : 3u) << c;
    if (unreserved) {
      EXPECT_EQ(encoded[0], byte);
    }
  }
}

TEST(Percent, WritesUpperCaseHexOfUtf8) {
  EXPECT_EQ(percent_encode("a/b#c%d é"), "a%2Fb%23c%25d%20%C3%A9");
  EXPECT_EQ(percent_encode(std::string_view("\0\x7F\xFF", 3)), "%00%7F%FF");
}

TEST(Hex, IsTwoDigitsAByteAndReadsBack) {
  std::array<std::uint8_t, 3> value{0x00, 0x9f, 0xa5};
  EXPECT_EQ(hex(value), "009fa5");
  EXPECT_EQ(hex({}), "");
  EXPECT_EQ(parse_hex<3>("009fa5"), value);
  EXPECT_EQ(parse_hex<3>("009FA5"), value);
  for (auto text : {"", "009fa", "009fa5f", "009fag", "0 9fa5", "-19fa5", "0x9fa5", "009fa+"})
    EXPECT_FALSE(parse_hex<3>(text)) << text;
}

TEST(Sha1, OfBytesMatchesFips180) {
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(Sha256, OfBytesMatchesFips180) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, OfPartsHashesTheirLengthsAndBytes) {
  std::string joined("\0\0\0\0\0\0\0\2ab\0\0\0\0\0\0\0\1c", 19);
  EXPECT_EQ(hex(sha256({"ab", "c"})), sha256_hex(joined));
  EXPECT_EQ(hex(sha256({})), sha256_hex(""));
}

TEST(Sha256, PartsDividedElsewhereHashDifferently) {
  std::set<Digest> digests{sha256({"ab", "c"}), sha256({"a", "bc"}), sha256({"abc"}),
                           sha256({"", "abc"}), sha256({"abc", ""}), sha256({"ab", "", "c"})};
  EXPECT_EQ(digests.size(), 6u);
}

TEST(SystemEntropy, DoesNotRepeatWhenItsBufferIsRefilled) {
  std::set<std::array<std::uint8_t, 10>> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(system_entropy()).second);
}

}  // namespace
}  // namespace quire
