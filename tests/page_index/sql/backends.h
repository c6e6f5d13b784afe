// Page indexes in databases, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "loop/loop.h"
#include "mariadb_server.h"
#include "page_index/sql/index.h"
#include "page_index/sql/tables.h"
#include "postgresql_server.h"
#include "temporary_directory.h"

namespace quire::sql {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;

// One server for all tests of a process.
inline MariaDbServer& mariadb() {
  static MariaDbServer server;
  return server;
}

inline quire::PostgresqlServer& postgresql_server() {
  static quire::PostgresqlServer server;
  return server;
}

template <class Running>
Server server_address(const Running& server) {
  return {"127.0.0.1", static_cast<unsigned short>(std::stoi(server.port())), "quire",
          Running::password, "quire"};
}
inline MysqlServer address_of(const MariaDbServer& server) {
  return {server_address(server)};
}
inline PostgresqlServer address_of(const quire::PostgresqlServer& server) {
  return {server_address(server)};
}

inline const Cell english = cell("en", 5), german = cell("de", 1);

// A connection whose tables are made.
struct Prepared : Connection {
  explicit Prepared(const DataSource& source) : Connection(source) { prepare_tables(*this); }
};

// A test that runs on each database. The name of its directory is the name of its index.
class OnEach : public testing::TestWithParam<const char*> {
 protected:
  bool on(std::string_view database) const { return GetParam() == database; }
  std::string path() const { return directory_.path() + "/pages.db"; }
  SqlAddress address() const {
    if (on("sqlite")) return SqliteFile{path()};
    if (on("mariadb")) return address_of(mariadb());
    return address_of(postgresql_server());
  }
  std::string name() const { return std::filesystem::path(directory_.path()).filename(); }
  std::unique_ptr<SqlIndex> open(Access access = Access::write, SqlOptions options = {}) const {
    return std::make_unique<SqlIndex>(address(), name(), access, options);
  }

  TemporaryDirectory directory_;
  const DataSource source_{address(), tables_of(name()), Access::write, {}};
};

inline Change inserted(std::uint32_t number, const std::string& product = "42",
                       Cell to = cell("en", 5)) {
  auto low = static_cast<std::uint8_t>(number), high = static_cast<std::uint8_t>(number >> 8);
  return {product, Ulid::make(1'700'000'000'000, {0, 0, 0, 0, 0, 0, 0, 0, high, low}), {}, to};
}

inline Step step_of(std::optional<Mark> before, Mark after, std::vector<Change> changes) {
  Step step;
  step.epoch = "e";
  step.shard = "s";
  step.before = std::move(before);
  step.after = std::move(after);
  step.changes = std::move(changes);
  return step;
}

inline State following() {
  State state;
  state.phase = Phase::following;
  state.epoch = "e";
  return state;
}

inline std::uint64_t length(SqlIndex& index, const std::string& product = "42",
                            Cell list = Cell{}) {
  return wait(index.ranks()->lengths(product, {&list, 1})).value().at(0);
}

inline std::vector<Ulid> ids(SqlIndex& index, const std::string& product = "42",
                             Cell list = Cell{}) {
  RankRange all{list, 0, 1'000'000};
  return wait(index.ranks()->slices(product, {&all, 1})).value().at(0);
}

}  // namespace quire::sql
