// What names a Redis server: redis://[USER:PASSWORD@]HOST[:PORT][/DB]; rediss:// with TLS.
#pragma once

#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::redis {

struct RedisAddress {
  bool tls = false;
  std::string host;  // an address of version 6 without its brackets
  std::string port = "6379";
  std::string user = {};      // empty: Redis's default user
  std::string password = {};  // empty: none is wanted
  unsigned database = 0;
};

// `password`: that of an address that has none, so that it need not be on a command line; the
// caller passes QUIRE_PAGES_PASSWORD. invalid_parameter: `text` is no such address; the message
// does not repeat it, for it may hold a password.
Result<RedisAddress> parse_redis_address(std::string_view text, std::string_view password);

// Scheme, host and port, for people: nothing of the user, let alone the password.
std::string shown(const RedisAddress& address);

}  // namespace quire::redis
