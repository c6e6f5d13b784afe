// Characters are Unicode scalar values in well-formed UTF-8 (Unicode standard, table 3-7).
#include <gtest/gtest.h>

#include "model/validate.h"

namespace quire {
namespace {

std::string utf8(char32_t c) {
  auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) {
    return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  }
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)),
          byte(0x80 | (c & 63))};
}

// Table 3-7, row by row: the ranges of a sequence's bytes.
struct Sequence {
  std::vector<std::pair<int, int>> bytes;
};
const std::vector<Sequence> well_formed = {
    {{{0x00, 0x7F}}},
    {{{0xC2, 0xDF}, {0x80, 0xBF}}},
    {{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    {{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}},
    {{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}},
};

bool begins_with(std::string_view text, const Sequence& sequence) {
  if (text.size() < sequence.bytes.size()) return false;
  for (std::size_t i = 0; i < sequence.bytes.size(); ++i) {
    int byte = static_cast<unsigned char>(text[i]);
    if (byte < sequence.bytes[i].first || byte > sequence.bytes[i].second) return false;
  }
  return true;
}

// The same as characters() for text without control characters, straight from the table.
std::optional<std::size_t> by_the_table(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) {
    auto row = std::find_if(well_formed.begin(), well_formed.end(),
                            [&](const Sequence& sequence) { return begins_with(text, sequence); });
    if (row == well_formed.end()) return {};
    text.remove_prefix(row->bytes.size());
  }
  return count;
}

TEST(Characters, EveryScalarValueIsOne) {
  for (char32_t c = 0x20; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    ASSERT_EQ(characters(utf8(c), ""), 1u) << static_cast<unsigned>(c);
  }
}

TEST(Characters, SurrogatesAndValuesBeyondUnicodeAreNone) {
  for (char32_t c = 0xD800; c <= 0xDFFF; ++c) EXPECT_FALSE(characters(utf8(c), ""));
  for (char32_t c = 0x110000; c <= 0x1FFFFF; c += 0xFFF) EXPECT_FALSE(characters(utf8(c), ""));
}

TEST(Characters, AgreeWithTheTableOnSequencesOfEveryFirstByteAndTheOthersBoundaries) {
  constexpr std::array<int, 10> others{0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
  std::string text(4, ' ');
  for (int first = 0x20; first < 256; ++first) {
    for (std::size_t i = 0; i < 1000; ++i) {
      text[0] = static_cast<char>(first);
      text[1] = static_cast<char>(others[i / 100]);
      text[2] = static_cast<char>(others[i / 10 % 10]);
      text[3] = static_cast<char>(others[i % 10]);
      for (std::size_t size = 1; size <= 4; ++size) {
        auto part = std::string_view(text).substr(0, size);
        ASSERT_EQ(characters(part, ""), by_the_table(part)) << first << " " << i << " " << size;
      }
    }
  }
}

TEST(Characters, OverlongFormsAreRefused) {
  for (std::string_view text : {"\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF",
                                "\xF0\x80\x80\xAF", "\xF0\x8F\xBF\xBF", "\xF8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(characters(text, ""));
  }
  EXPECT_FALSE(characters(std::string_view("\xC0\x80", 2), std::string_view("\0", 1)));
}

TEST(Characters, ATextCutWithinACharacterIsRefused) {
  std::string text = "a" + utf8(0x1F600);
  for (std::size_t size = 2; size < text.size(); ++size) {
    EXPECT_FALSE(characters(std::string_view(text).substr(0, size), "")) << size;
  }
}

TEST(Characters, AreCountedNotBytesOrGraphemes) {
  EXPECT_EQ(characters("", ""), 0u);
  EXPECT_EQ(characters("é", ""), 1u);
  EXPECT_EQ(characters("e\xCC\x81", ""), 2u);    // e and a combining accent
  EXPECT_EQ(characters("👩‍👧", ""), 3u);  // two emoji and a joiner
}

TEST(Characters, ControlCharactersAreRefusedUnlessAllowed) {
  for (int c = 0; c < 0x20; ++c) {
    std::string text{'a', static_cast<char>(c)};
    EXPECT_FALSE(characters(text, "")) << c;
    EXPECT_EQ(characters(text, "\n\t").has_value(), c == '\n' || c == '\t') << c;
  }
  EXPECT_EQ(characters("\x7F", ""), 1u);
}

}  // namespace
}  // namespace quire
