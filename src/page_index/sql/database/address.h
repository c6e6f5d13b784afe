// The address of a database for the page index: sqlite:FILE,
// mysql://USER[:PASSWORD]@HOST[:PORT]/DB for MySQL and MariaDB, or postgresql://… in the same form.
// A server's address may end in ?tls=system or ?tls=FILE.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "quire/result.h"

namespace quire::sql {

struct SqliteFile {
  std::string path;  // absolute
};

struct Server {
  std::string host;
  unsigned short port;
  std::string user;
  std::string password;  // may be empty
  std::string database;
  // Empty: without proof who the server is. Else the connection is encrypted, and the server must
  // prove its name by a certificate of an authority in this file, or of the system's authorities.
  std::string tls = {};
};
struct MysqlServer : Server {};
struct PostgresqlServer : Server {};

inline constexpr std::string_view system_authorities = "system";  // of Server::tls

using SqlAddress = std::variant<SqliteFile, MysqlServer, PostgresqlServer>;

// `password`: used where the address has none; the caller passes QUIRE_PAGES_PASSWORD. A relative
// FILE starts at the current directory. Messages never show a password.
Result<SqlAddress> parse_sql_address(std::string_view text, std::string_view password);

// The address for people, without the password.
std::string shown(const SqlAddress& address);

}  // namespace quire::sql
