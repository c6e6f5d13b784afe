// A page index in a SQL database, SQLite or MySQL (MariaDB), through SOCI.
#pragma once

#include <memory>
#include <string>

#include "page_index/page_index.h"
#include "page_index/sql/pool.h"

namespace quire::sql {

struct SqlOptions {
  std::size_t connections = 8;
  std::size_t most_requests = 1024;  // at work or waiting; more are refused as unavailable
  Patience patience = {};
};

// Waiting happens on threads of its own. It connects when it is first asked; a connection that
// broke is replaced by the next request. An error is `unavailable`, with a sentence for people.
// With Access::write the tables are made if need be; with Access::read, state() says `empty` as
// long as there are none, and what writes is refused. Any number of processes may have it open.
// Nothing may be under way when it is destroyed.
class SqlIndex : public PageIndex {
 public:
  // `name`: the table's whose index this is; several share a database.
  SqlIndex(SqlAddress address, const std::string& name, Access access, SqlOptions options = {});

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  Awaitable<Status> put(std::vector<change::Change> changes) override;

 private:
  Pool pool_;
};

}  // namespace quire::sql
