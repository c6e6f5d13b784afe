#include "page_index/sql/database/connection.h"

#include <fmt/format.h>

#include <soci/postgresql/soci-postgresql.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <exception>

#include "page_index/sql/database/opening.h"

namespace quire::sql {
namespace {

// SOCI's library does not show the type information of the class, for which the sanitizer of
// undefined behaviour would ask.
[[gnu::noinline]] __attribute__((no_sanitize("vptr"))) sqlite_api::sqlite3* database_of(
    soci::session& session) {
  return static_cast<soci::sqlite3_session_backend*>(session.get_backend())->conn_;
}

[[gnu::noinline]] __attribute__((no_sanitize("vptr"))) int postgresql_socket(
    soci::session& session) {
  return PQsocket(static_cast<soci::postgresql_session_backend*>(session.get_backend())->conn_);
}

}  // namespace

Connection::Connection(const DataSource& source, SocketDeadlines* deadlines) : source_(source) {
  open(session_, source);
  if (deadlines && std::holds_alternative<PostgresqlServer>(source.address))
    socket_.emplace(*deadlines, postgresql_socket(session_));
  set_up_session();
}

void Connection::set_up_session() {
  if (std::holds_alternative<SqliteFile>(source_.address)) set_up_sqlite();
  if (std::holds_alternative<MysqlServer>(source_.address)) set_up_mysql();
  if (std::holds_alternative<PostgresqlServer>(source_.address)) set_up_postgresql();
}

void Connection::set_up_sqlite() {
  // SQLite runs in this process and has no limit of its own: it asks after so many of its steps
  // whether to go on. A hundred thousand take some milliseconds.
  sqlite_api::sqlite3_progress_handler(
      database_of(session_), 100'000,
      [](void* connection) {
        return static_cast<int>(static_cast<Connection*>(connection)->late());
      },
      this);
  // Not in SOCI's connect string: a file that is no database fails in the first statement, and
  // SOCI would leave it open.
  execute("PRAGMA synchronous = FULL");
  // Readers and the writer do not wait for each other.
  auto mode = rows<std::string>("PRAGMA journal_mode");
  bool set = !mode.empty() && std::get<0>(mode.front()) == "wal";
  if (!set && source_.access == Access::write) execute("PRAGMA journal_mode = WAL");
  // In KiB; the default is 2,000. Steps and deep pages read pages from all over the indexes.
  execute("PRAGMA cache_size = -65536");
}

std::optional<SocketDeadlines::Wait> Connection::begin_statement() {
  statement_began_ = std::chrono::steady_clock::now();
  if (!socket_) return std::nullopt;
  return std::optional<SocketDeadlines::Wait>(std::in_place, *socket_);
}

bool Connection::alive() {
  auto wait = begin_statement();
  return session_.is_connected();
}

bool Connection::late() const {
  return std::chrono::steady_clock::now() - statement_began_ > source_.timeouts.statement;
}

void Connection::set_up_mysql() {
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

// Takes the place of hints, which PostgreSQL has not: a new table has no statistics, and without
// them the planner would rather sort a whole list than walk along its index, or join keys with a
// whole table than look them up.
void Connection::set_up_postgresql() {
  execute(
      fmt::format("SET statement_timeout = '{}s'; SET lock_timeout = '{}s'; "
                  "SET client_min_messages = warning; SET bytea_output = hex; "
                  "SET enable_seqscan = off; SET enable_sort = off; SET enable_hashjoin = off; "
                  "SET enable_mergejoin = off; SET jit = off",
                  source_.timeouts.statement.count(), source_.timeouts.lock.count()));
}

void Connection::execute(const std::string& statement) {
  auto wait = begin_statement();
  soci::statement run(session_);
  run.alloc();
  run.prepare(dialect().spell(statement), soci::details::st_one_time_query);
  run.define_and_bind();
  run.execute(true);
}

Transaction::Transaction(Connection& connection, std::string_view begin) : connection_(connection) {
  connection_.execute(std::string(begin));
}

// After an exception the pool closes the connection, which rolls back, too. Else the next statement
// tells that a rollback failed.
Transaction::~Transaction() {
  if (!open_ || std::uncaught_exceptions() > 0) return;
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
