#include "page_index/redis/client/address.h"

#include <boost/url.hpp>

#include "base/text.h"
#include "base/try.h"

namespace quire::redis {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "pages"};
}

Result<unsigned> database_of(std::string_view path) {
  if (path.empty() || path == "/") return 0u;
  path.remove_prefix(1);
  if (auto number = parse_integer<unsigned>(path)) return *number;
  return wrong("After the host of a Redis address comes the number of a database, such as /0.");
}

}  // namespace

Result<RedisAddress> parse_redis_address(std::string_view text, std::string_view password) {
  auto url = boost::urls::parse_uri(text);
  bool ours = url && (url->scheme() == "redis" || url->scheme() == "rediss");
  // Boost.URL 1.81 takes the letters of a port that is no number for a path.
  ours = ours && (url->path().empty() || url->path().starts_with('/'));
  if (!ours || url->host().empty() || url->has_query() || url->has_fragment()) {
    return wrong(
        "A Redis address is redis://HOST:PORT/DATABASE, or rediss:// with TLS; port and database "
        "may be left out. USER:PASSWORD@ goes before the host, percent-encoded; or set "
        "QUIRE_PAGES_PASSWORD.");
  }
  if (url->has_port() && url->port_number() == 0)
    return wrong("The port of a Redis address is a number from 1 to 65535.");
  TRY(auto database, database_of(std::string(url->path())));
  RedisAddress address{.tls = url->scheme() == "rediss", .host = std::string(url->host_address())};
  if (url->has_port()) address.port = std::to_string(url->port_number());
  address.user = url->user();
  address.password = url->password();
  address.database = database;
  if (address.password.empty()) address.password = password;
  if (!address.user.empty() && address.password.empty())
    return wrong("The Redis address names a user without a password: set QUIRE_PAGES_PASSWORD.");
  return address;
}

std::string shown(const RedisAddress& address) {
  bool v6 = address.host.find(':') != address.host.npos;
  auto host = v6 ? "[" + address.host + "]" : address.host;
  return (address.tls ? "rediss://" : "redis://") + host + ":" + address.port;
}

}  // namespace quire::redis
