// Which hosts are this machine. The address decides, not the beginning of a name.
#include "http/site.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

bool loopback(std::string_view text) {
  auto authority = parse_authority(text);
  return authority && authority->loopback();
}

TEST(Authority, IsParsedIntoItsParts) {
  auto authority = parse_authority("Shop.Example:8080").value();
  EXPECT_EQ(authority.host, "shop.example");
  EXPECT_EQ(authority.port, "8080");
  EXPECT_FALSE(authority.address);
  EXPECT_EQ(authority.text(), "shop.example:8080");
  EXPECT_EQ(parse_authority("[2001:DB8::1]").value().text(), "[2001:db8::1]");
  EXPECT_EQ(parse_authority("[2001:db8::1]").value().address->to_string(), "2001:db8::1");
}

TEST(Authority, WithoutAHostOrWithAUserIsInvalid) {
  for (std::string_view text : {"", ":8080", "user@localhost", "user:pass@127.0.0.1", "a b", "a/b",
                                "[::1", "::1", "localhost:80x", "a?b", "<script>", "a\"b", "%zz"}) {
    EXPECT_FALSE(parse_authority(text)) << text;
  }
}

TEST(Authority, OnlyLoopbackAddressesAndLocalhostAreThisMachine) {
  for (std::string_view text :
       {"localhost", "localhost:8080", "LocalHost:1", "127.0.0.1", "127.0.0.1:8080",
        "127.255.255.254", "127.1.2.3:80", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]"}) {
    EXPECT_TRUE(loopback(text)) << text;
  }
  for (std::string_view text : {"",
                                ":8080",
                                "127.evil.example",
                                "127.evil.example:8080",
                                "127.0.0.1.evil.example",
                                "localhost.evil.example",
                                "evil.example",
                                "localhost.",
                                "shop.localhost",
                                "localhostx",
                                "127.0.0.1.",
                                "127.0.0",
                                "127.1",
                                "127",
                                "127.0.0.256",
                                "127.0.0.01",
                                "0127.0.0.1",
                                "0x7f.0.0.1",
                                "2130706433",
                                "0.0.0.0",
                                "128.0.0.1",
                                "10.0.0.1",
                                "[::]",
                                "[::ffff:127.0.0.1]",
                                "[::ffff:7f00:1]",
                                "[::2]",
                                "::1",
                                "%6cocalhost",
                                "localhost@evil.example",
                                "evil.example#localhost",
                                "127.0.0.1 evil.example"}) {
    EXPECT_FALSE(loopback(text)) << text;
  }
}

TEST(FromThisMachine, TheOriginIsTheHost) {
  struct Row {
    std::string_view host, origin;
    bool ours;
  };
  for (const auto& [host, origin, ours] :
       std::initializer_list<Row>{{"localhost:8080", "", true},
                                  {"localhost:8080", "http://localhost:8080", true},
                                  {"LOCALHOST:8080", "http://localhost:8080", true},
                                  {"localhost", "https://localhost", true},
                                  {"[::1]:8080", "http://[::1]:8080", true},
                                  {"", "", false},
                                  {"", "http://localhost:8080", false},
                                  {"localhost:8080", "null", false},
                                  {"localhost:8080", "http://localhost:3000", false},
                                  {"localhost:8080", "http://localhost", false},
                                  {"localhost:8080", "http://127.0.0.1:8080", false},
                                  {"localhost:8080", "http://evil.example", false},
                                  {"localhost:8080", "http://localhost:8080.evil.example", false},
                                  {"localhost:8080", "http://user@localhost:8080", false},
                                  {"localhost:8080", "ftp://localhost:8080", false},
                                  {"localhost:8080", "localhost:8080", false},
                                  {"127.evil.example:8080", "http://127.evil.example:8080", false},
                                  {"127.evil.example:8080", "", false}}) {
    EXPECT_EQ(from_this_machine(host, origin), ours) << host << " " << origin;
  }
}

}  // namespace
}  // namespace quire::http
