// The public URL: its path, and which URLs are one.
#include "http/site.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

std::string path_of(const std::string& public_url) {
  return std::string(Site{public_url, {}}.path());
}

TEST(Site, HasThePathOfItsPublicUrl) {
  EXPECT_EQ(path_of(""), "");
  EXPECT_EQ(path_of("https://shop.example"), "");
  EXPECT_EQ(path_of("https://shop.example:8443/reviews"), "/reviews");
  EXPECT_EQ(path_of("http://[::1]:8080/a/b"), "/a/b");
}

TEST(PublicUrl, IsAHostAndAPathThatNeedsNoEscapes) {
  for (const char* url : {"http://shop.example", "https://shop.example:8443", "http://[::1]:8080",
                          "https://shop.example/reviews", "https://shop.example/a/b-1_2.3~4"})
    EXPECT_EQ(check_public_url(url), "") << url;
  for (const char* url :
       {"", "shop.example", "ftp://shop.example", "https://", "https:///reviews",
        "https://shop.example/", "https://shop.example/reviews/", "https://shop.example//reviews",
        "https://shop.example/a//b", "https://shop.example/../a", "https://shop.example/.a",
        "https://shop.example/%61", "https://shop.example/a b", "https://shop.example/ä",
        "https://shop.example/a?b", "https://shop.example/a#b", "https://ann@shop.example"})
    EXPECT_NE(check_public_url(url), "") << url;
}

}  // namespace
}  // namespace quire::http
