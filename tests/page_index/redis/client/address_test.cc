#include "page_index/redis/client/address.h"

#include <gtest/gtest.h>

namespace quire::redis {
namespace {

std::string told(std::string_view text, std::string_view password = "") {
  auto address = parse_redis_address(text, password);
  if (!address) return address.error().message;
  return (address->tls ? "TLS " : "") + address->host + " " + address->port + " \"" +
         address->user + "\" \"" + address->password + "\" " + std::to_string(address->database);
}

TEST(RedisAddress, NamesHostPortUserPasswordAndDatabase) {
  EXPECT_EQ(told("redis://localhost"), "localhost 6379 \"\" \"\" 0");
  EXPECT_EQ(told("redis://localhost/"), "localhost 6379 \"\" \"\" 0");
  EXPECT_EQ(told("redis://10.0.0.1:7000/3"), "10.0.0.1 7000 \"\" \"\" 3");
  EXPECT_EQ(told("rediss://cache.example:6380/15"), "TLS cache.example 6380 \"\" \"\" 15");
  EXPECT_EQ(told("redis://[::1]:7000"), "::1 7000 \"\" \"\" 0");
  EXPECT_EQ(told("redis://:secret@h"), "h 6379 \"\" \"secret\" 0");
  EXPECT_EQ(told("redis://quire:s%40cr%2Fet%3A@h/1"), "h 6379 \"quire\" \"s@cr/et:\" 1");
}

TEST(RedisAddress, TakesTheGivenPasswordIfItHasNone) {
  EXPECT_EQ(told("redis://h", "other"), "h 6379 \"\" \"other\" 0");
  EXPECT_EQ(told("redis://quire@h", "other"), "h 6379 \"quire\" \"other\" 0");
  EXPECT_EQ(told("redis://quire:own@h", "other"), "h 6379 \"quire\" \"own\" 0");
}

TEST(RedisAddress, ExplainsMistakesWithoutShowingThePassword) {
  for (std::string text :
       {"", "redis", "redis:", "redis://", "redis://:secret@", "redis:h", "http://h:80",
        "redis://h?secret=1", "redis://h#secret", "redis://u:sec ret@h", "redis://u:secret@h:port",
        "redis://u:secret@h:p1", "unix:///secret.sock", "//h", "REDISS//h"}) {
    auto address = parse_redis_address(text, "");
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::invalid_parameter);
    EXPECT_EQ(address.error().parameter, "pages");
    EXPECT_TRUE(address.error().message.starts_with("A Redis address is redis://HOST")) << text;
    EXPECT_EQ(address.error().message.find("secret"), std::string::npos) << text;
  }
  for (auto port : {"0", "65536", "123456789012"}) {
    EXPECT_EQ(told("redis://u:secret@h:" + std::string(port)),
              "The port of a Redis address is a number from 1 to 65535.");
  }
  for (auto path : {"/x", "/-1", "/1/2", "//1", "/1x", "/99999999999"}) {
    EXPECT_EQ(told("redis://u:secret@h" + std::string(path)),
              "After the host of a Redis address comes the number of a database, such as /0.");
  }
  EXPECT_EQ(told("redis://u@h"),
            "The Redis address names a user without a password: set QUIRE_PAGES_PASSWORD.");
}

}  // namespace
}  // namespace quire::redis
