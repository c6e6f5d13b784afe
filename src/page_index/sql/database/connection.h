// One connection to the database, through SOCI. Throws soci::soci_error and Unusable. One thread at
// a time may use it.
#pragma once

#include <soci/soci.h>

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/backend.h"
#include "page_index/sql/database/address.h"
#include "page_index/sql/database/dialect.h"
#include "page_index/sql/database/failure.h"
#include "page_index/sql/database/socket_deadlines.h"

namespace quire::sql {

struct Timeouts {
  std::chrono::seconds connect{3};
  std::chrono::seconds statement{10};
  std::chrono::seconds lock{5};   // waiting for another writer
  std::chrono::seconds queue{5};  // waiting for a connection
  // Servers, and the network between, close connections that are idle for longer.
  std::chrono::seconds idle{20};

  // Waiting for a server's answer; longer than the server itself works on a statement.
  std::chrono::seconds answer() const { return statement + lock; }
};

// How long blocks may grow. Not a part of the format: each process may have other sizes.
struct BlockSizes {
  std::size_t max_comments = 1024;  // of a block of level 0; a product with fewer has no blocks
  std::size_t max_blocks = 128;     // in a block of a higher level
};

// The database and the tables of one index, and how this process uses them.
struct DataSource {
  SqlAddress address;
  Tables tables;
  Access access;
  Timeouts timeouts;
  BlockSizes block_sizes = {};

  const Dialect& dialect() const {
    if (std::holds_alternative<SqliteFile>(address)) return sqlite;
    return std::holds_alternative<MysqlServer>(address) ? mysql : postgresql;
  }
};

// Thrown with Access::read when no process has made the tables yet.
struct NoTables {};

class Connection {
 public:
  // Connects; NoTables: SQLite's file is missing. `source` and `deadlines` must outlive the
  // connection. Without `deadlines` a statement in PostgreSQL may wait without end.
  explicit Connection(const DataSource& source, SocketDeadlines* deadlines = nullptr);
  explicit Connection(DataSource&&) = delete;

  // Statements may hold Quire's own text and literals only: SOCI takes a ":" for a parameter.
  void execute(const std::string& statement);

  // Columns are long long or std::string, and never NULL.
  template <class... Columns>
  std::vector<std::tuple<Columns...>> rows(const std::string& query);

  bool alive();  // asks the server
  // Whether the last statement took longer than a server works on it.
  bool late() const;
  bool committing() const { return committing_; }
  const Dialect& dialect() const { return source_.dialect(); }
  const Tables& tables() const { return source_.tables; }
  Access access() const { return source_.access; }
  const BlockSizes& block_sizes() const { return source_.block_sizes; }

 private:
  friend class Transaction;

  // The wait lasts as long as the result.
  [[nodiscard]] std::optional<SocketDeadlines::Wait> begin_statement();
  void set_up_session();
  void set_up_sqlite();
  void set_up_mysql();
  void set_up_postgresql();

  const DataSource& source_;
  soci::session session_;
  std::optional<SocketDeadlines::Socket> socket_;  // of PostgreSQL
  std::chrono::steady_clock::time_point statement_began_;
  bool committing_ = false;  // a COMMIT was sent, and its success is not known
};

// The destructor rolls back unless commit() was called.
class Transaction {
 public:
  // `begin`: the dialect's begin_to_read or begin_to_write.
  Transaction(Connection& connection, std::string_view begin);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

template <class... Columns>
std::vector<std::tuple<Columns...>> Connection::rows(const std::string& query) {
  std::vector<std::tuple<Columns...>> rows;
  std::tuple<Columns...> row;
  soci::statement statement(session_);
  std::apply([&](auto&... column) { (statement.exchange(soci::into(column)), ...); }, row);
  statement.alloc();
  auto wait = begin_statement();
  // Else PostgreSQL would be asked three times: to prepare, to run and to forget.
  statement.prepare(dialect().spell(query), soci::details::st_one_time_query);
  statement.define_and_bind();
  for (bool found = statement.execute(true); found; found = statement.fetch()) {
    rows.push_back(row);
    std::apply([&](auto&... column) { (dialect().read(column), ...); }, rows.back());
  }
  return rows;
}

// Throws soci::soci_error, or NoTables where a reader finds no SQLite file.
void open(soci::session& session, const DataSource& source);

// Calls `run` with " IN (…)" or " = …" for all keys, in groups of the size that suits the database.
void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run);

// Writes rows, "(…)" each, in place of rows of the same keys.
void replace(Connection& connection, const RowForm& form, const std::vector<std::string>& rows);

// The same for keys that no row has; PostgreSQL writes such rows in four fifths of the time.
void insert(Connection& connection, const RowForm& form, const std::vector<std::string>& rows);

// `key`: the columns of the keys.
void remove(Connection& connection, const std::string& from, const std::string& key,
            std::span<const std::string> keys);

}  // namespace quire::sql
