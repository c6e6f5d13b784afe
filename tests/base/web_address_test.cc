// Addresses are those of which browsers leave scheme, host and port as they are written. The end to
// end test web-addresses compares many more with a browser's own parser.
#include "base/web_address.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(WebAddress, HasItsParts) {
  auto address = parse_web_address("https://shop.example:8443/p/42?a=b:c@d#e").value();
  EXPECT_TRUE(address.secure);
  EXPECT_EQ(address.host, "shop.example");
  EXPECT_EQ(address.port, "8443");
  EXPECT_EQ(address.rest, "/p/42?a=b:c@d#e");
  auto plain = parse_web_address("http://[2001:db8::1]").value();
  EXPECT_FALSE(plain.secure);
  EXPECT_EQ(plain.host, "[2001:db8::1]");
  EXPECT_EQ(plain.port, "");
  EXPECT_EQ(plain.rest, "");
}

constexpr std::string_view taken[] = {"http://a",
                                      "https://a..b/",
                                      "https://./",
                                      "https://a.example./",
                                      "https://-a-.example/",
                                      "https://a_b.example/",
                                      "https://xn--mnchen-3ya.example/",
                                      "https://a.example:0/",
                                      "https://a.example:65535/",
                                      "http://a.example:443",
                                      "https://192.0.2.1/",
                                      "https://[::]/",
                                      "https://[::1]:8/",
                                      "https://[1:0:0:2::3]/",
                                      "https://a.example/ü b",
                                      "https://a?b",
                                      "https://a#b",
                                      "https://0x.example/",
                                      "https://1.2.3.4.a/",
                                      "https://a\\@b/"};

constexpr std::string_view refused[] = {"",
                                        "https",
                                        "https:",
                                        "https:/a",
                                        "https://",
                                        "https:///a",
                                        "https:a",
                                        "ftp://a/",
                                        "javascript:alert(1)",
                                        "//a.example/",
                                        " https://a/",
                                        "https://a/ ",
                                        "https://a /",
                                        "https://a\tb/",
                                        "https://a/\n",
                                        "HTTPS://a/",
                                        "https://A/",
                                        "https://ü.example/",
                                        "https://a%2eb/",
                                        "https://u@a/",
                                        "https://u:p@a/",
                                        "https://@a/",
                                        "https://a:/",
                                        "https://a:443/",
                                        "http://a:80/",
                                        "https://a:0443/",
                                        "https://a:08/",
                                        "https://a:65536/",
                                        "https://a:8a/",
                                        "https://a:-1/",
                                        "https://shop.example:abc/p",
                                        "https://shop.example:.evil.example/",
                                        "https://127.1/",
                                        "https://127.0.0.1./",
                                        "https://0x7f.0.0.1/",
                                        "https://017.0.0.1/",
                                        "https://2130706433/",
                                        "https://1.2.3.256/",
                                        "https://a.0x4/",
                                        "https://a.09/",
                                        "https://0x/",
                                        "https://[::1/",
                                        "https://[::01]/",
                                        "https://[0:0:0:0:0:0:0:1]/",
                                        "https://[::ffff:1.2.3.4]/",
                                        "https://[::1]a/",
                                        "https://[v1.x]/",
                                        "https://[ABCD::]/",
                                        "https://[1:0:0:2:0:0:0:3]/",
                                        "https://xn--/",
                                        "https://xn--a/",
                                        "https://xn--mnchen-3yA.example/",
                                        "https://a<b/",
                                        "https://a|b/"};

TEST(WebAddress, IsAsABrowserReadsIt) {
  for (auto right : taken) EXPECT_TRUE(parse_web_address(right)) << right;
  for (auto wrong : refused) EXPECT_FALSE(parse_web_address(wrong)) << wrong;
  EXPECT_FALSE(parse_web_address(std::string_view("https://a\0b/", 12)));
}

TEST(WebAddress, IsSentEncoded) {
  auto sent = [](std::string_view text) { return as_sent(parse_web_address(text).value()); };
  EXPECT_EQ(sent("https://a"), "https://a");
  EXPECT_EQ(sent("http://a:8/b%20c?d#e"), "http://a:8/b%20c?d#e");
  EXPECT_EQ(sent("https://a\\b c\\\"?\\\"<ü"), "https://a/b%20c/%22?\\%22%3C%C3%BC");
}

TEST(Authority, IsAHostAndPerhapsAPort) {
  for (const auto* right : {"a", "LocalHost:8080", "127.0.0.1:80", "127.1", "[::1]", "[0::1]:80",
                            "a_b.example:", "shop.example."})
    EXPECT_TRUE(is_authority(right)) << right;
  for (const auto* wrong : {"", ":80", "a b", "user@a", "a:99999999", "a:b", "a:-1", "a:1:2",
                            "[::1", "[::1]a", "[x]", "::1", "a/b", "a?b", "ü", "a%20b", "a\tb"})
    EXPECT_FALSE(is_authority(wrong)) << wrong;
}

}  // namespace
}  // namespace quire
