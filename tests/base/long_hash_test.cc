#include "base/hash.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string>

namespace quire {
namespace {

TEST(LongHash, IsTheSameWithVectorsOfAnyWidth) {
  std::string text;
  for (std::size_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(long_hash(text), XXH3_64bits(text.data(), text.size())) << i;
    text += static_cast<char>(i * i % 251);
  }
}

// Stores and tags hold it.
TEST(LongHash, NeverChanges) {
  EXPECT_EQ(long_hash(std::string(300, 'q')), 4351402357786487689u);
  EXPECT_EQ(long_hash(std::string(4096, 'q')), 1460212190096868539u);
}

}  // namespace
}  // namespace quire
