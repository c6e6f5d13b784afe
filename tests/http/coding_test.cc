#include "http/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace quire::http {
namespace {

struct Wish {
  std::string text;  // empty: the name is not in the header
  double quality;
};
const std::vector<Wish> wishes = {
    {"", 0}, {"{}", 1}, {"{};q=0", 0}, {"{};q=0.5", 0.5}, {"{} ; q=1.0", 1}};
const std::vector<std::string> names = {"gzip", "identity", "zstd", "*"};

// The rules of the header, written down once more: the best quality, and of equal ones zstd, then
// gzip, then identity, which everybody takes who does not say otherwise.
Coding expected(const std::vector<Wish>& given) {
  auto quality = [&](std::size_t name) {
    if (!given[name].text.empty()) return given[name].quality;
    if (name == 1) return 0.001 * (given[3].text.empty() || given[3].quality > 0);
    return given[3].text.empty() ? 0 : given[3].quality;
  };
  double best = std::max({quality(0), quality(1), quality(2)});
  if (best == 0) return Coding::identity;
  if (quality(2) == best) return Coding::zstd;
  return quality(0) == best ? Coding::gzip : Coding::identity;
}

TEST(Coding, EveryHeaderOfFourNamesInAnyOrder) {
  for (std::size_t n = 0; n < 5 * 5 * 5 * 5; ++n) {
    std::vector<Wish> given;
    std::vector<std::string> parts;
    for (std::size_t i = 0, rest = n; i < names.size(); ++i, rest /= 5) {
      given.push_back(wishes[rest % 5]);
      auto part = given.back().text;
      if (part.empty()) continue;
      parts.push_back(part.replace(0, 2, names[i]));
    }
    std::sort(parts.begin(), parts.end());
    do {
      std::string header;
      for (const auto& part : parts) header += (header.empty() ? "" : ", ") + part;
      ASSERT_EQ(best_coding(header), expected(given)) << header;
    } while (std::next_permutation(parts.begin(), parts.end()));
  }
}

TEST(Coding, HeadersAsClientsSendThem) {
  EXPECT_EQ(best_coding("gzip, deflate, br, zstd"), Coding::zstd);
  EXPECT_EQ(best_coding("gzip, deflate, br"), Coding::gzip);
  EXPECT_EQ(best_coding("deflate, gzip;q=1.0, *;q=0.5"), Coding::gzip);
  EXPECT_EQ(best_coding("GZIP"), Coding::gzip);
  EXPECT_EQ(best_coding("x-gzip"), Coding::gzip);
  EXPECT_EQ(best_coding("br"), Coding::identity);
  EXPECT_EQ(best_coding(""), Coding::identity);
  EXPECT_EQ(best_coding(" ,\t, zstd ,"), Coding::zstd);
  EXPECT_EQ(best_coding("gzip;q=0.001, zstd;Q=0.002"), Coding::zstd);
}

TEST(Coding, APartOfAnotherFormIsAbsent) {
  for (std::string part : {"gzip;q=", "gzip;q=2", "gzip;q=-1", "gzip;q=0.1234", "gzip;q=1.001",
                           "gzip;level=9", "gzip;q=.5", "gzip q=1", "gzip;;q=1", "gzip;q=0.5x"})
    EXPECT_EQ(best_coding(part), Coding::identity) << part;
}

TEST(Coding, AStrongTagNamesItsCodingAndAWeakOneNone) {
  EXPECT_EQ(tag_in(Coding::identity, "\"a\""), "\"a\"");
  EXPECT_EQ(tag_in(Coding::gzip, "\"a\""), "\"a-gzip\"");
  EXPECT_EQ(tag_in(Coding::zstd, "\"a\""), "\"a-zstd\"");
  EXPECT_EQ(tag_in(Coding::gzip, "W/\"a\""), "W/\"a\"");
  for (auto coding : {Coding::identity, Coding::gzip, Coding::zstd})
    EXPECT_EQ(without_coding(tag_in(coding, "\"a\"")), "\"a\"");
  EXPECT_EQ(without_coding("W/\"a-gzip\""), "W/\"a\"") << "as a proxy weakens it";
  EXPECT_EQ(without_coding("-gzip"), "-gzip");
}

}  // namespace
}  // namespace quire::http
