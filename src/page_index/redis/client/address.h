// The address of a Redis server: redis://[USER:PASSWORD@]HOST[:PORT][/DB]; rediss:// with TLS.
#pragma once

#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::redis {

struct RedisAddress {
  bool tls = false;
  std::string host;  // an IPv6 address without its brackets
  std::string port = "6379";
  std::string user = {};      // empty: Redis's default user
  std::string password = {};  // empty: the server wants none
  unsigned database = 0;
};

// `password`: used where the address has none, so that a command line need not show it; the caller
// passes QUIRE_PAGES_PASSWORD. invalid_parameter: `text` is no address of Redis; the message does
// not repeat `text`, because it may hold a password.
Result<RedisAddress> parse_redis_address(std::string_view text, std::string_view password);

// Scheme, host and port, for people. Leaves out user and password.
std::string shown(const RedisAddress& address);

}  // namespace quire::redis
