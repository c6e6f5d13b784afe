// gzip data that come in parts.
#include "http/encoding/gunzip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "http/encoding/compress.h"
#include "loop/loop.h"

namespace quire::http {
namespace {

std::string gzipped(std::string_view text) {
  return wait(compressed(Coding::gzip, text));
}

TEST(Gunzip, GivesTheBytesHoweverTheyAreCut) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::string first(random() % 200'000, 'a'), second(1 + random() % 1000, 'b');
    for (char& c : first) c = static_cast<char>('a' + random() % 7);
    auto data = gzipped(first + "x") + gzipped(second) + std::string(random() % 1000, '\0');
    std::string out;
    Gunzip gunzip;
    std::string_view rest = data;
    while (!rest.empty()) {
      auto size = std::min<std::size_t>(rest.size(), 1 + random() % (round % 2 ? 50 : 50'000));
      ASSERT_TRUE(gunzip.add(rest.substr(0, size), [&](std::string_view part) {
        EXPECT_LE(part.size(), 64u * 1024);
        out += part;
        return true;
      }));
      rest.remove_prefix(size);
    }
    EXPECT_TRUE(gunzip.complete());
    EXPECT_EQ(out, first + "x" + second);
  }
}

TEST(Gunzip, SaysWhereDataBreakOffOrAreNone) {
  auto data = gzipped(std::string(100'000, 'z'));
  auto take = [](std::string_view) { return true; };
  Gunzip half;
  EXPECT_TRUE(half.add(std::string_view(data).substr(0, data.size() - 1), take));
  EXPECT_FALSE(half.complete());
  Gunzip none;
  EXPECT_FALSE(none.complete());
  EXPECT_FALSE(none.add("{\"product\":\"42\"}", take));
  Gunzip behind;
  EXPECT_FALSE(behind.add(data + "more", take));
}

TEST(Gunzip, GivesNoMoreThanIsWanted) {
  auto data = gzipped(std::string(1'000'000, 'z'));
  std::size_t parts = 0;
  Gunzip gunzip;
  EXPECT_TRUE(gunzip.add(data, [&](std::string_view) { return ++parts < 2; }));
  EXPECT_EQ(parts, 2u);
}

}  // namespace
}  // namespace quire::http
