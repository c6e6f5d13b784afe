// The address of a database for the page index: sqlite:FILE, or
// mysql://USER[:PASSWORD]@HOST[:PORT]/DB for MySQL and MariaDB.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "quire/result.h"

namespace quire::sql {

struct SqliteFile {
  std::string path;  // absolute
};

struct MysqlServer {
  std::string host;
  unsigned short port;
  std::string user;
  std::string password;  // may be empty
  std::string database;
};

using SqlAddress = std::variant<SqliteFile, MysqlServer>;

// `password`: used where the address has none; the caller passes QUIRE_PAGES_PASSWORD. A relative
// FILE starts at the current directory. Messages never show a password.
Result<SqlAddress> parse_sql_address(std::string_view text, std::string_view password);

// The address for people, without the password.
std::string shown(const SqlAddress& address);

}  // namespace quire::sql
