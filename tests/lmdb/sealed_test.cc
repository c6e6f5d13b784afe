// A seal detects every flipped bit, and a value under another key or in another database.
#include "lmdb/sealed.h"

#include <gtest/gtest.h>

namespace quire::lmdb {
namespace {

const std::uint64_t seed = seal_seed("comments");

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return bytes;
}

// The bytes of docs/formats/store.md.
TEST(Sealed, HasTheBytesOfTheDocument) {
  EXPECT_EQ(seal_seed("comments"), 0x38a1545dcbaa8b7u);
  EXPECT_EQ(checksum(seed, "key", "value"), 0x4aa6c885u);
  EXPECT_EQ(checksum(seed, "key", std::string(1000, 'v')), 0xc48ba1b7u);
  EXPECT_EQ(checksum(seed, "", ""), 0xd7994046u);
}

TEST(Sealed, IsReadBack) {
  for (std::size_t size : {0, 1, 4, 16, 17, 128, 240, 241, 1000, 70'000}) {
    std::string value(size, 'v'), bytes = sealed(seed, "key", value);
    EXPECT_EQ(bytes.size(), size + seal_size);
    EXPECT_EQ(unsealed(seed, "key", bytes), value);
  }
}

TEST(Sealed, EveryFlippedBitIsDetected) {
  for (std::size_t size : {0, 3, 20, 200, 300, 1500}) {
    std::string key(20, 'k'), bytes = sealed(seed, key, std::string(size, 'v'));
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit)
      EXPECT_FALSE(unsealed(seed, key, flipped(bytes, bit))) << size << ": " << bit;
    for (std::size_t bit = 0; bit < key.size() * 8; ++bit)
      EXPECT_FALSE(unsealed(seed, flipped(key, bit), bytes)) << size << ": key " << bit;
    for (std::size_t less = 0; less < bytes.size(); ++less)
      EXPECT_FALSE(unsealed(seed, key, std::string_view(bytes).substr(0, less))) << less;
    EXPECT_FALSE(unsealed(seal_seed("ids"), key, bytes));
  }
}

}  // namespace
}  // namespace quire::lmdb
