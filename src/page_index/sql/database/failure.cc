#include "page_index/sql/database/failure.h"

#include <fmt/format.h>
#include <soci/mysql/soci-mysql.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/log.h"

namespace quire::sql {
namespace {

struct KnownCode {
  int code;
  FailureKind kind;
};

// https://mariadb.com/kb/en/mariadb-error-codes/ and the client's errmsg.h
constexpr std::array mysql_codes = {
    KnownCode{1020, FailureKind::busy},     // the row changed since it was read
    KnownCode{1205, FailureKind::busy},     // waited too long for a lock
    KnownCode{1213, FailureKind::busy},     // deadlock
    KnownCode{1053, FailureKind::lost},     // the server shuts down
    KnownCode{1317, FailureKind::lost},     // interrupted, as when the server shuts down
    KnownCode{1927, FailureKind::lost},     // the connection was killed
    KnownCode{2006, FailureKind::lost},     // the server has gone away
    KnownCode{2013, FailureKind::lost},     // while a query was under way
    KnownCode{4031, FailureKind::lost},     // it was idle for too long
    KnownCode{1040, FailureKind::crowded},  // too many connections
    KnownCode{1203, FailureKind::crowded},  // of this user
    KnownCode{1226, FailureKind::crowded},  // of this user, by its account
    KnownCode{2002, FailureKind::unreachable}, KnownCode{2003, FailureKind::unreachable},
    KnownCode{2005, FailureKind::unreachable},  // unknown host
    KnownCode{1044, FailureKind::refused},      // not this database
    KnownCode{1045, FailureKind::refused},      // not this user
    KnownCode{1129, FailureKind::refused},      // the host is blocked
    KnownCode{1130, FailureKind::refused},      // not from this host
    KnownCode{1142, FailureKind::refused},      // not this table
    KnownCode{1143, FailureKind::refused},      // not this column
    KnownCode{1227, FailureKind::refused},      // not this privilege
    KnownCode{1698, FailureKind::refused},      // not with a password
    KnownCode{2026, FailureKind::untrusted},    // TLS failed, or the server has none
    KnownCode{1049, FailureKind::missing},     KnownCode{1969, FailureKind::slow},
    KnownCode{3024, FailureKind::slow},        KnownCode{1021, FailureKind::full},
    KnownCode{1114, FailureKind::full},        KnownCode{1290, FailureKind::read_only},
    KnownCode{1792, FailureKind::read_only},   KnownCode{1836, FailureKind::read_only},
    KnownCode{1054, FailureKind::altered},  // no such column
    KnownCode{1136, FailureKind::altered},  // another number of columns
    KnownCode{1146, FailureKind::altered},  // no such table
    KnownCode{1176, FailureKind::altered},  // no such index
    KnownCode{1364, FailureKind::altered},  // a column more
    KnownCode{1034, FailureKind::damaged},     KnownCode{1712, FailureKind::damaged},
};

// https://sqlite.org/rescode.html
constexpr int any_sqlite_error = 1;
constexpr std::array sqlite_codes = {
    KnownCode{9, FailureKind::slow},      KnownCode{5, FailureKind::busy},
    KnownCode{6, FailureKind::busy},      KnownCode{3, FailureKind::refused},
    KnownCode{8, FailureKind::read_only}, KnownCode{11, FailureKind::damaged},
    KnownCode{13, FailureKind::full},     KnownCode{14, FailureKind::missing},
    KnownCode{26, FailureKind::foreign},
};
// SQLite has one code for many errors, so only these words tell that a table was altered.
constexpr std::string_view sqlite_words_of_altered[] = {
    "no such table", "no such column", "no such index", "has no column named", "columns but"};

struct State {
  std::string_view code;  // or the class that it begins with
  FailureKind kind;
};

// https://www.postgresql.org/docs/15/errcodes-appendix.html
constexpr State postgresql_states[] = {
    {"40", FailureKind::busy},     // could not serialize, or deadlock
    {"55P03", FailureKind::busy},  // waited too long for a lock
    {"23505", FailureKind::busy},  // another process makes the tables at the same time
    {"42P07", FailureKind::busy},  // the same
    {"42710", FailureKind::busy},  // the same, told of the type of the table's rows
    {"08", FailureKind::lost},         {"57P", FailureKind::lost},  // the server shuts down
    {"25P03", FailureKind::lost},                                   // it was idle for too long
    {"53300", FailureKind::crowded},   {"28", FailureKind::refused},
    {"42501", FailureKind::refused},   {"3D000", FailureKind::missing},
    {"57014", FailureKind::slow},      {"53100", FailureKind::full},
    {"25006", FailureKind::read_only}, {"42", FailureKind::altered},
    {"XX00", FailureKind::damaged},
};
// A connection that fails has no code, only words. The first that fit count.
constexpr State postgresql_words[] = {
    {"certificate", FailureKind::untrusted},
    {"SSL", FailureKind::untrusted},
    {"authentication", FailureKind::refused},
    {"no password", FailureKind::refused},
    {"pg_hba.conf", FailureKind::refused},
    {"permission denied", FailureKind::refused},
    {"database \"", FailureKind::missing},
    {"too many", FailureKind::crowded},
    {"remaining connection slots", FailureKind::crowded},
};

FailureKind postgresql_kind(std::string_view state) {
  for (const auto& row : postgresql_states) {
    if (state.starts_with(row.code)) return row.kind;
  }
  return FailureKind::other;
}

// SOCI's words for it.
bool not_connected(const std::string& words) {
  return words.starts_with("Cannot establish connection to the database");
}

FailureKind kind_of_connecting(const std::string& words) {
  for (const auto& row : postgresql_words) {
    if (words.find(row.code) != words.npos) return row.kind;
  }
  return FailureKind::unreachable;
}

template <std::size_t size>
FailureKind kind_of(const std::array<KnownCode, size>& rows, int code) {
  auto row =
      std::find_if(rows.begin(), rows.end(), [=](KnownCode row) { return row.code == code; });
  return row == rows.end() ? FailureKind::other : row->kind;
}

FailureKind sqlite_kind(int code, const std::string& words) {
  if (code != any_sqlite_error) return kind_of(sqlite_codes, code);
  bool altered = std::any_of(std::begin(sqlite_words_of_altered), std::end(sqlite_words_of_altered),
                             [&](std::string_view some) { return words.find(some) != words.npos; });
  return altered ? FailureKind::altered : FailureKind::other;
}

void log(const Failure& failure) {
  static LineASecond lines;
  if (auto before = lines.next())
    spdlog::warn("page index: {} (error {}; {} more before)", in_one_line(failure.words),
                 failure.code, *before);
}

// Whether the path is surely no directory.
bool no_directory(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return !std::filesystem::is_directory(path, failed);
  return !failed;
}

// SQLite makes a missing file, but no missing directory.
std::string missing(const SqlAddress& address) {
  if (const auto* file = std::get_if<SqliteFile>(&address)) {
    auto directory = std::filesystem::path(file->path).parent_path();
    if (no_directory(directory))
      return fmt::format(
          "The page index's database {} must be in an existing directory. Make {}, or correct the "
          "address.",
          shown(address), directory.string());
  }
  return fmt::format(
      "The page index's database {} is missing, or may not be opened. Make it, or correct its "
      "address.",
      shown(address));
}

std::string sentence(const Failure& failure, const SqlAddress& address) {
  switch (failure.kind) {
    case FailureKind::busy:
      return "Other processes write to the page index's database at the same time. Try again in a "
             "moment.";
    case FailureKind::lost:
      return "The connection to the page index's database broke. Try again.";
    case FailureKind::crowded:
      return "The page index's database takes no more connections. Try again in a moment.";
    case FailureKind::unreachable:
      return fmt::format(
          "The page index's database {} cannot be reached. Check its address, and whether it runs.",
          shown(address));
    case FailureKind::refused:
      return fmt::format(
          "The page index's database {} refuses this user. Check the user and the password of its "
          "address, and the rights of the user.",
          shown(address));
    case FailureKind::untrusted:
      return fmt::format(
          "The page index's database {} does not prove by TLS that it is the server of that name. "
          "Check its certificate, and the authorities that tls= names.",
          shown(address));
    case FailureKind::missing:
      return missing(address);
    case FailureKind::slow:
      return "The page index's database took too long. Try again, or ask for a page nearer to an "
             "end.";
    case FailureKind::full:
      return "The page index's database has no room left. Make room, then try again.";
    case FailureKind::read_only:
      return "The page index's database takes no writes. Give the address of one that does.";
    case FailureKind::altered:
      return "The page index's tables are not as Quire made them. Drop the tables with its "
             "prefix, and run quire backfill.";
    case FailureKind::damaged:
      return "The page index's database is damaged. Restore it, or start with an empty one and run "
             "quire backfill.";
    case FailureKind::foreign:
      return fmt::format(
          "The page index's file {} is no SQLite database. Correct the address, or name a new "
          "file.",
          shown(address));
    case FailureKind::other:
      break;
  }
  return "The page index's database failed (error " + std::to_string(failure.code) +
         "). See the log.";
}

}  // namespace

Failure failure_of(const soci::soci_error& thrown) {
  if (const auto* server = dynamic_cast<const soci::mysql_soci_error*>(&thrown)) {
    int code = static_cast<int>(server->err_num_);
    return {kind_of(mysql_codes, code), code, thrown.get_error_message()};
  }
  if (const auto* file = dynamic_cast<const soci::sqlite3_soci_error*>(&thrown)) {
    int code = file->result() & 0xff;  // the higher bits tell details that change nothing here
    auto words = thrown.get_error_message();
    return {sqlite_kind(code, words), code, words};
  }
  auto words = thrown.get_error_message();
  if (const auto* server = dynamic_cast<const soci::postgresql_soci_error*>(&thrown))
    return {postgresql_kind(server->sqlstate()), 0, words};
  return {not_connected(words) ? kind_of_connecting(words) : FailureKind::other, 0, words};
}

Error error_of(const Failure& failure, const SqlAddress& address) {
  log(failure);
  return {ErrorCode::unavailable, sentence(failure, address)};
}

Unusable damaged(const std::string& what) {
  return Unusable("The page index's tables hold " + what +
                  ", which Quire does not write. Run quire backfill --again; if that fails with "
                  "the same message, drop the tables first.");
}

}  // namespace quire::sql
