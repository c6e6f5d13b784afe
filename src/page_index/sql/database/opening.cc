#include "page_index/sql/database/opening.h"

#include <fmt/format.h>
#include <soci/mysql/soci-mysql.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <cstdlib>
#include <filesystem>

#include "base/percent.h"

namespace quire::sql {
namespace {

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

}  // namespace

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

}  // namespace quire::sql
