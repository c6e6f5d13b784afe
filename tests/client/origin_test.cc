#include "client/origin.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(HttpOrigins, HaveASchemeAHostAndAPort) {
  struct Case {
    const char* url;
    HttpOrigin origin;
    const char* authority;
  };
  for (const auto& [url, expected, authority] :
       {Case{"http://127.0.0.1:8000", {false, "127.0.0.1", "8000"}, "127.0.0.1:8000"},
        Case{"https://shop.example", {true, "shop.example", "443"}, "shop.example"},
        Case{"http://shop.example/", {false, "shop.example", "80"}, "shop.example"},
        Case{"https://shop.example:80", {true, "shop.example", "80"}, "shop.example:80"},
        Case{"http://[::1]:80", {false, "[::1]", "80"}, "[::1]"}}) {
    auto origin = parse_origin(url).value();
    EXPECT_EQ(origin.tls, expected.tls) << url;
    EXPECT_EQ(origin.host, expected.host) << url;
    EXPECT_EQ(origin.port, expected.port) << url;
    EXPECT_EQ(origin.authority(), authority) << url;
  }
}

TEST(HttpOrigins, HaveNothingElse) {
  for (auto url : {"", "shop.example", "ftp://shop.example", "http://", "http://u@shop.example",
                   "http://shop.example/page", "http://shop.example?a=b", "http://shop.example#a",
                   "http://shop.example:0", "http://shop.example:65536", "http://shop.example:x"}) {
    auto origin = parse_origin(url);
    ASSERT_FALSE(origin) << url;
    EXPECT_EQ(origin.error().code, ErrorCode::invalid_parameter);
  }
}

}  // namespace
}  // namespace quire
