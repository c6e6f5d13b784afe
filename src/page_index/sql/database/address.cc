#include "page_index/sql/database/address.h"

#include "base/try.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/url.hpp>
#include <filesystem>

namespace quire::sql {
namespace {

constexpr std::string_view sqlite_scheme = "sqlite:";

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), "pages"};
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Result<SqlAddress> parse_file(std::string_view path) {
  if (path.empty() || path.starts_with(':'))
    return wrong(
        "The address of a page index in SQLite names a file: sqlite:/var/lib/quire/pages.db.");
  // The connect string quotes the path, and cannot hold these characters.
  if (has_control_characters(path) || path.find('"') != path.npos)
    return wrong("The name of SQLite's file has a quote or a control character in it.");
  return SqlAddress(SqliteFile{std::filesystem::absolute(path).lexically_normal().string()});
}

struct Scheme {
  std::string_view scheme;
  std::string_view name;
  unsigned short usual_port;
};
constexpr Scheme mysql_scheme{"mysql", "MySQL", 3306};
constexpr Scheme postgresql_scheme{"postgresql", "PostgreSQL", 5432};

// The value of tls in "?tls=…".
Result<std::string> parse_tls(const boost::urls::url_view& url) {
  if (!url.has_query()) return std::string();
  auto parameters = url.params();
  std::string value;
  if (parameters.size() == 1 && (*parameters.begin()).key == "tls")
    value = (*parameters.begin()).value;
  if (value.empty() || has_control_characters(value))
    return wrong(
        "After the database's name an address may have ?tls=system or ?tls=FILE, with the file of "
        "the authorities to trust.");
  if (value == system_authorities) return value;
  return std::filesystem::absolute(value).lexically_normal().string();
}

Result<Server> parse_server(const boost::urls::url_view& url, const Scheme& scheme,
                            std::string_view password) {
  Server server;
  server.host = url.host_type() == boost::urls::host_type::ipv6 ? url.host_address() : url.host();
  server.user = url.user();
  server.password = url.has_password() ? url.password() : std::string(password);
  if (server.host.empty() || server.user.empty() || url.has_fragment())
    return wrong(fmt::format(
        "The address of a {} server is {}://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?tls=…].",
        scheme.name, scheme.scheme));
  server.port = url.has_port() ? url.port_number() : scheme.usual_port;
  bool fits = server.port > 0 && (!url.has_port() || url.port() == std::to_string(server.port));
  if (!fits)
    return wrong(fmt::format("The {} server's port is a number from 1 to 65535.", scheme.name));
  auto segments = url.segments();
  if (segments.size() != 1 || segments.front().empty())
    return wrong(fmt::format("The {} server's address ends in the database's name: {}://…/quire.",
                             scheme.name, scheme.scheme));
  server.database = segments.front();
  TRY(server.tls, parse_tls(url));
  for (const auto& part : {server.host, server.user, server.password, server.database}) {
    if (has_control_characters(part))
      return wrong(
          fmt::format("The {} server's address has a control character in it.", scheme.name));
  }
  return server;
}

Result<SqlAddress> parse_mysql(const boost::urls::url_view& url, std::string_view password) {
  TRY(auto server, parse_server(url, mysql_scheme, password));
  // For "localhost" the client's library uses the socket file of the server, and ignores port and
  // TLS.
  if (server.host == "localhost" && (url.has_port() || !server.tls.empty()))
    server.host = "127.0.0.1";
  return SqlAddress(MysqlServer{std::move(server)});
}

Result<SqlAddress> parse_postgresql(const boost::urls::url_view& url, std::string_view password) {
  TRY(auto server, parse_server(url, postgresql_scheme, password));
  return SqlAddress(PostgresqlServer{std::move(server)});
}

std::string shown(const Scheme& scheme, const Server& server) {
  bool v6 = server.host.find(':') != server.host.npos;
  auto host = v6 ? "[" + server.host + "]" : server.host;
  return fmt::format("{}://{}@{}:{}/{}", scheme.scheme, server.user, host, server.port,
                     server.database);
}

}  // namespace

Result<SqlAddress> parse_sql_address(std::string_view text, std::string_view password) {
  if (text.starts_with(sqlite_scheme)) return parse_file(text.substr(sqlite_scheme.size()));
  auto url = boost::urls::parse_uri(text);
  if (url && url->scheme() == mysql_scheme.scheme) return parse_mysql(*url, password);
  if (url && url->scheme() == postgresql_scheme.scheme) return parse_postgresql(*url, password);
  return wrong(
      "A page index in a SQL database is sqlite:FILE, mysql://USER@HOST/DATABASE or "
      "postgresql://USER@HOST/DATABASE; bytes other than letters and digits in the user, the "
      "password and the database are written as %XX.");
}

std::string shown(const SqlAddress& address) {
  if (const auto* server = std::get_if<MysqlServer>(&address)) return shown(mysql_scheme, *server);
  if (const auto* server = std::get_if<PostgresqlServer>(&address))
    return shown(postgresql_scheme, *server);
  return "sqlite:" + std::get<SqliteFile>(address).path;
}

}  // namespace quire::sql
