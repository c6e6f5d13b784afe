#include "lmdb/numbers.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace quire::lmdb {
namespace {

int sign(int value) {
  return (value > 0) - (value < 0);
}

// A program that uses LMDB's own order can still read the stores.
TEST(Order, IsTheOrderOfTheBytes) {
  std::mt19937 random(5);
  std::vector<std::string> keys;
  for (std::size_t size = 0; size < 40; ++size) {
    for (int i = 0; i < 8; ++i) {
      std::string key(size, '\0');
      for (auto& c : key) c = static_cast<char>(random() % 3 ? 0 : 0xFF - random() % 2);
      keys.push_back(key);
    }
  }
  for (const auto& a : keys) {
    for (const auto& b : keys) ASSERT_EQ(order(a, b), sign(a.compare(b))) << a.size() << b.size();
  }
}

}  // namespace
}  // namespace quire::lmdb
