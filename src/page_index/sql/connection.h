// One connection to the database, through SOCI. Failures are thrown: soci::soci_error, Unusable.
// Used by one thread at a time.
#pragma once

#include <soci/soci.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "base/access.h"
#include "page_index/sql/address.h"
#include "page_index/sql/dialect.h"
#include "page_index/sql/failure.h"

namespace quire::sql {

// How long things may take.
struct Patience {
  std::chrono::seconds connect{3};
  std::chrono::seconds statement{10};
  std::chrono::seconds lock{5};   // waiting for whoever writes
  std::chrono::seconds queue{5};  // waiting for a connection
};

// The tables of one index, as one process uses them.
struct Place {
  SqlAddress address;
  Tables tables;
  Access access;
  Patience patience;

  const Dialect& dialect() const {
    return std::holds_alternative<SqliteFile>(address) ? sqlite : mysql;
  }
};

// Opened to read, and nobody has made the tables yet.
struct NoTables {};

class Connection {
 public:
  // Makes the tables if need be, or throws NoTables. `place` must outlive it.
  explicit Connection(const Place& place);
  explicit Connection(Place&&) = delete;

  // Text of Quire's own, and literals: SOCI takes a ":" for a parameter.
  void execute(const std::string& statement);

  // Columns are long long or std::string; none may be NULL.
  template <class... Columns>
  std::vector<std::tuple<Columns...>> rows(const std::string& query);

  bool alive() { return session_.is_connected(); }
  bool committing() const { return committing_; }
  const Dialect& dialect() const { return place_.dialect(); }
  const Tables& tables() const { return place_.tables; }

 private:
  friend class Transaction;

  void greet();
  bool has_tables();
  void make_tables();

  const Place& place_;
  soci::session session_;
  bool committing_ = false;  // from a COMMIT on, until it is known to be done
};

// Ends with its object: without commit() nothing happened.
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
  statement.prepare(query);
  statement.define_and_bind();
  for (bool found = statement.execute(true); found; found = statement.fetch()) rows.push_back(row);
  return rows;
}

}  // namespace quire::sql
