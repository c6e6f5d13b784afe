#include "page_index/sql/database/address.h"

#include <algorithm>
#include <boost/url.hpp>
#include <filesystem>

namespace quire::sql {
namespace {

constexpr std::string_view sqlite_scheme = "sqlite:";
constexpr unsigned short usual_port = 3306;

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

Result<SqlAddress> parse_server(std::string_view text, std::string_view password) {
  auto url = boost::urls::parse_uri(text);
  if (!url || url->scheme() != "mysql")
    return wrong(
        "A page index in a SQL database is sqlite:FILE or mysql://USER@HOST/DATABASE; bytes other "
        "than letters and digits in the user, the password and the database are written as %XX.");
  MysqlServer server;
  server.host =
      url->host_type() == boost::urls::host_type::ipv6 ? url->host_address() : url->host();
  server.user = url->user();
  server.password = url->has_password() ? url->password() : std::string(password);
  if (server.host.empty() || server.user.empty() || url->has_query() || url->has_fragment())
    return wrong("The address of a MySQL server is mysql://USER[:PASSWORD]@HOST[:PORT]/DATABASE.");
  server.port = url->has_port() ? url->port_number() : usual_port;
  bool fits = server.port > 0 && (!url->has_port() || url->port() == std::to_string(server.port));
  if (!fits) return wrong("The MySQL server's port is a number from 1 to 65535.");
  // For "localhost" the client's library uses the socket file of the server, and ignores the port.
  if (server.host == "localhost" && url->has_port()) server.host = "127.0.0.1";
  auto segments = url->segments();
  if (segments.size() != 1 || segments.front().empty())
    return wrong("The MySQL server's address ends in the database's name: mysql://…/quire.");
  server.database = segments.front();
  for (const auto& part : {server.host, server.user, server.password, server.database}) {
    if (has_control_characters(part))
      return wrong("The MySQL server's address has a control character in it.");
  }
  return SqlAddress(server);
}

}  // namespace

Result<SqlAddress> parse_sql_address(std::string_view text, std::string_view password) {
  if (!text.starts_with(sqlite_scheme)) return parse_server(text, password);
  return parse_file(text.substr(sqlite_scheme.size()));
}

std::string shown(const SqlAddress& address) {
  if (const auto* file = std::get_if<SqliteFile>(&address)) return "sqlite:" + file->path;
  const auto& server = std::get<MysqlServer>(address);
  bool v6 = server.host.find(':') != server.host.npos;
  auto host = v6 ? "[" + server.host + "]" : server.host;
  return "mysql://" + server.user + "@" + host + ":" + std::to_string(server.port) + "/" +
         server.database;
}

}  // namespace quire::sql
