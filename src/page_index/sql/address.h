// What names a database for the page index: sqlite:FILE, or mysql://USER[:PASSWORD]@HOST[:PORT]/DB
// for MySQL and MariaDB.
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

// `password`: of QUIRE_PAGES_PASSWORD, which the caller passes; it counts where the address has
// none. A relative FILE is taken from the current directory. Messages never show a password.
Result<SqlAddress> parse_sql_address(std::string_view text, std::string_view password);

// Without the password, for people.
std::string shown(const SqlAddress& address);

}  // namespace quire::sql
