#include "page_index/sql/database/connection.h"

#include <fmt/format.h>
#include <soci/mysql/soci-mysql.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <filesystem>

namespace quire::sql {
namespace {

// In the syntax that SOCI's backends parse.
std::string connect_string(const SqliteFile& file, const DataSource& source) {
  return fmt::format("dbname=\"{}\" timeout={}{}", file.path, source.timeouts.lock.count(),
                     source.access == Access::read ? " readonly=true" : "");
}

std::string in_quotes(std::string_view value) {
  std::string out = "'";
  for (char c : value) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out += "'";
}

std::string connect_string(const MysqlServer& server, const DataSource& source) {
  // Longer than the limits that the server has for a statement.
  auto answer = (source.timeouts.statement + source.timeouts.lock).count();
  return fmt::format(
      "host={} port={} user={} password={} db={} connect_timeout={} read_timeout={} "
      "write_timeout={}",
      in_quotes(server.host), server.port, in_quotes(server.user), in_quotes(server.password),
      in_quotes(server.database), source.timeouts.connect.count(), answer, answer);
}

void open(soci::session& session, const DataSource& source) {
  if (const auto* server = std::get_if<MysqlServer>(&source.address)) {
    session.open(soci::mysql, connect_string(*server, source));
    return;
  }
  const auto& file = std::get<SqliteFile>(source.address);
  if (source.access == Access::read && !std::filesystem::exists(file.path)) throw NoTables();
  session.open(soci::sqlite3, connect_string(file, source));
}

}  // namespace

Connection::Connection(const DataSource& source) : source_(source) {
  open(session_, source);
  set_up_session();
}

// Sets up the session of the connection.
void Connection::set_up_session() {
  if (std::holds_alternative<SqliteFile>(source_.address)) {
    // Not in SOCI's connect string: a file that is no database fails in the first statement, and
    // SOCI would leave it open.
    execute("PRAGMA synchronous = FULL");
    // Readers and the writer do not wait for each other.
    auto mode = rows<std::string>("PRAGMA journal_mode");
    bool set = !mode.empty() && std::get<0>(mode.front()) == "wal";
    if (!set && source_.access == Access::write) execute("PRAGMA journal_mode = WAL");
    // In KiB; the default is 2,000. Steps and deep pages read pages from all over the indexes.
    execute("PRAGMA cache_size = -65536");
    return;
  }
  auto version = std::get<0>(rows<std::string>("SELECT VERSION()").at(0));
  bool mariadb = version.find("MariaDB") != version.npos;
  auto limit = source_.timeouts.statement;
  execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  execute(
      fmt::format("SET SESSION autocommit = 1, sql_mode = 'STRICT_ALL_TABLES', "
                  "innodb_lock_wait_timeout = {0}, lock_wait_timeout = {0}, {1}",
                  source_.timeouts.lock.count(),
                  mariadb ? fmt::format("max_statement_time = {}", limit.count())
                          : fmt::format("max_execution_time = {}", limit.count() * 1000)));
}

void Connection::execute(const std::string& statement) {
  soci::statement run(session_);
  run.alloc();
  run.prepare(statement);
  run.define_and_bind();
  run.execute(true);
}

Transaction::Transaction(Connection& connection, std::string_view begin) : connection_(connection) {
  connection_.execute(std::string(begin));
}

// Ignores a failing rollback: an exception closes the connection anyway, and otherwise the next
// statement fails.
Transaction::~Transaction() {
  if (!open_) return;
  try {
    connection_.execute("ROLLBACK");
  } catch (const soci::soci_error&) {
  }
}

void Transaction::commit() {
  connection_.committing_ = true;
  connection_.execute("COMMIT");
  connection_.committing_ = false;
  open_ = false;
}

}  // namespace quire::sql
