// The page index in a SQL database, SQLite, MySQL (MariaDB) or PostgreSQL, through SOCI.
#pragma once

#include <memory>
#include <string>

#include "page_index/page_index.h"
#include "page_index/sql/database/pool.h"

namespace quire::sql {

struct SqlOptions {
  std::size_t connections = 8;
  std::size_t max_requests = 1024;  // running or waiting; more requests are unavailable
  Timeouts timeouts = {};
  BlockSizes block_sizes = {};
};

// Runs the statements on threads of its own. Connects at the first request, and replaces a broken
// connection at the next request. All errors are `unavailable`, with a sentence for people.
// Access::write makes missing tables. Access::read refuses writes, and state() is `empty` as long
// as there are no tables. Any number of processes may have the index open. No call may be running
// when the index is destroyed.
class SqlIndex : public PageIndex {
 public:
  // `name`: the name of the table. Several indexes may share a database.
  SqlIndex(SqlAddress address, const std::string& name, Access access, SqlOptions options = {});

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  Awaitable<Status> reset(change::State state) override;
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override;

  std::unique_ptr<Ranks> ranks() override;
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override;
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override;
  // How counts of blocks contradict the comments. put() makes the blocks of its products anew.
  Awaitable<Result<std::vector<std::string>>> flaws(std::string product) override;
  Awaitable<Status> put(std::vector<change::Change> changes) override;

 private:
  Pool pool_;
};

}  // namespace quire::sql
