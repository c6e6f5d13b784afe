#include "page_index/sql/database/connection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <soci/mysql/soci-mysql.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "base/text.h"

namespace quire::sql {

namespace {

constexpr std::size_t max_rows = 500;       // per INSERT
constexpr std::size_t max_bytes = 500'000;  // about; MySQL takes a megabyte and more

void in_groups(const std::vector<std::string>& rows,
               const std::function<void(const std::string& some)>& run) {
  for (std::size_t i = 0; i < rows.size();) {
    std::string some = rows[i++];
    for (std::size_t count = 1; i < rows.size() && count < max_rows && some.size() < max_bytes;
         ++count)
      some += ", " + rows[i++];
    run(some);
  }
}

// Where Debian keeps the authorities of the system.
constexpr const char* debian_authorities = "/etc/ssl/certs/ca-certificates.crt";

// The connect strings are in the syntax that SOCI's backends parse.
std::string in_quotes(std::string_view value) {
  std::string out = "'";
  for (char c : value) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out += "'";
}

std::string in_braces(std::string_view value) {
  std::string out = "{";
  for (char c : value) {
    if (c == '}') out += '}';
    out += c;
  }
  return out += "}";
}

// SOCI cannot ask for the check of the server's name. The client's library takes a whole connection
// string in place of the host, see mariadb_connect() in its mysql.h, and that can.
std::string checked_host(const MysqlServer& server) {
  auto text =
      fmt::format("host={};port={};user={};password={};database={};ssl-verify-server-cert=1",
                  in_braces(server.host), server.port, in_braces(server.user),
                  in_braces(server.password), in_braces(server.database));
  if (server.tls != system_authorities) text += ";ssl-ca=" + in_braces(server.tls);
  return text;
}

std::string connect_string(const MysqlServer& server, const DataSource& source) {
  auto answer = source.timeouts.answer().count();
  auto host = server.tls.empty() ? server.host : checked_host(server);
  return fmt::format(
      "host={} port={} user={} password={} db={} connect_timeout={} read_timeout={} "
      "write_timeout={}",
      in_quotes(host), server.port, in_quotes(server.user), in_quotes(server.password),
      in_quotes(server.database), source.timeouts.connect.count(), answer, answer);
}

std::string authorities_of(const Server& server) {
  if (server.tls != system_authorities) return server.tls;
  const char* file = std::getenv("SSL_CERT_FILE");
  return file ? file : debian_authorities;
}

// As a URI, because SOCI does not keep every quoted value whole.
std::string connect_string(const PostgresqlServer& server, const DataSource& source) {
  bool v6 = server.host.find(':') != server.host.npos;
  // The later parameters end the wait for a host that is gone.
  auto answer = source.timeouts.answer().count();
  auto text = fmt::format(
      "postgresql://{}:{}@{}:{}/{}?application_name=quire&connect_timeout={}&tcp_user_timeout={}&"
      "keepalives_idle={}&keepalives_interval=1&keepalives_count=3",
      percent_encode(server.user), percent_encode(server.password),
      v6 ? "[" + server.host + "]" : percent_encode(server.host), server.port,
      percent_encode(server.database), source.timeouts.connect.count(), answer * 1000, answer);
  if (server.tls.empty()) return text + "&sslmode=prefer";
  return text + "&sslmode=verify-full&sslrootcert=" + percent_encode(authorities_of(server));
}

std::string connect_string(const SqliteFile& file, const DataSource& source) {
  return fmt::format("dbname=\"{}\" timeout={}{}", file.path, source.timeouts.lock.count(),
                     source.access == Access::read ? " readonly=true" : "");
}

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

void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run) {
  auto most = connection.dialect().max_keys;
  for (; !keys.empty(); keys = keys.subspan(std::min(most, keys.size()))) {
    auto some = keys.first(std::min(most, keys.size()));
    run(connection.dialect().among(fmt::format("{}", fmt::join(some, ", "))));
  }
}

void replace(Connection& connection, const RowForm& form, const std::vector<std::string>& rows) {
  in_groups(rows, [&](const std::string& some) {
    connection.execute(connection.dialect().replace(form, some));
  });
}

void insert(Connection& connection, const RowForm& form, const std::vector<std::string>& rows) {
  in_groups(rows, [&](const std::string& some) {
    connection.execute(
        fmt::format("INSERT INTO {} ({}, {}) VALUES {}", form.table, form.key, form.rest, some));
  });
}

void remove(Connection& connection, const std::string& from, const std::string& key,
            std::span<const std::string> keys) {
  for_keys(connection, keys, [&](const std::string& among) {
    connection.execute("DELETE FROM " + from + " WHERE " + key + among);
  });
}

void open(soci::session& session, const DataSource& source) {
  if (const auto* server = std::get_if<MysqlServer>(&source.address)) {
    session.open(soci::mysql, connect_string(*server, source));
  } else if (const auto* server = std::get_if<PostgresqlServer>(&source.address)) {
    session.open(soci::postgresql, connect_string(*server, source));
  } else {
    const auto& file = std::get<SqliteFile>(source.address);
    if (source.access == Access::read && !std::filesystem::exists(file.path)) throw NoTables();
    session.open(soci::sqlite3, connect_string(file, source));
  }
}

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
