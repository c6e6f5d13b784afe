#include "http/encoding/compress.h"

#include <gtest/gtest.h>

#include <random>

#include "http/encoding/decompress.h"
#include "loop/loop.h"

namespace quire::http {
namespace {

constexpr Coding codings[] = {Coding::gzip, Coding::zstd};

// `letters`: 2 for a text that compresses well, 256 for one that does not.
std::string some_text(std::size_t size, unsigned letters) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::string out(size, '\0');
  for (char& each : out) each = static_cast<char>(random() % letters);
  return out;
}

TEST(Compress, EverySizeComesBack) {
  for (std::size_t size : {1u, 1023u, 1024u, 65535u, 65536u, 65537u, 300'000u, 1u << 20}) {
    for (unsigned letters : {2u, 256u}) {
      auto text = some_text(size, letters);
      for (auto coding : codings) {
        auto bytes = wait(compressed(coding, text));
        EXPECT_EQ(decompressed(coding, bytes), text) << size;
        EXPECT_LT(bytes.capacity(), bytes.size() + 100) << "budgets count the size";
        bool must_shrink = letters == 2 && size > 1000;
        EXPECT_TRUE(!must_shrink || bytes.size() < size / 3) << bytes.size();
      }
    }
  }
}

// The loop gives each a turn in the middle of the others. There are more than it makes at once.
TEST(Compress, SeveralAtOnceDoNotMix) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 12; ++i) texts.push_back(some_text((1 << 18) - i, 256));
  for (auto coding : codings) {
    std::vector<Awaitable<std::string>> works;
    for (const auto& text : texts) works.push_back(compressed(coding, text));
    auto made = wait(all(std::move(works)));
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_TRUE(decompressed(coding, made[i]) == texts[i]);
  }
}

TEST(Compress, WhatStaysForEverIsCompressedOnce) {
  static const auto text = some_text(5000, 2);
  for (auto coding : codings) {
    auto once = wait(compressed_once(coding, text));
    EXPECT_EQ(decompressed(coding, once), text);
    EXPECT_EQ(wait(compressed_once(coding, text)).data(), once.data());
  }
}

}  // namespace
}  // namespace quire::http
