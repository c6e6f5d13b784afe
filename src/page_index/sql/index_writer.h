// One writing transaction. Of all writers of all processes, one runs at a time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/sql/database/connection.h"

namespace quire::sql {

// The row of the state, without marks.
struct StateRow {
  change::State state;
  std::string clearing;  // the name of a running reset(), or empty
};
// `lock`: empty, or Dialect::lock.
StateRow read_state_row(Connection& connection, std::string_view lock);

class IndexWriter {
 public:
  // Begins the transaction, which waits for other writers.
  explicit IndexWriter(Connection& connection);

  const StateRow& state_row() const { return state_row_; }
  std::optional<change::Mark> mark(const std::string& shard);

  // Applies changes to rows, and updates counts and blocks by the rows that really changed. A
  // comment has one row, so the lists in which a change says it was (`from`) do not matter.
  void change(std::span<const change::Change> changes);
  // Recounts the comments of a product, and makes its blocks anew.
  void recount(const std::string& product);
  void set(const std::string& shard, const change::Mark& mark);
  void forget(const std::vector<std::string>& shards);
  void set(const StateRow& state_row);  // and adds its marks; other marks stay
  void forget_marks();

  // Removes up to `max` comments, and the counts and blocks of products that have none left.
  // `from`: there are no comments of earlier products. Returns the next `from`; absent: all
  // comments are removed.
  std::optional<std::string> clear(const std::string& from, std::size_t max);

  void commit() { transaction_.commit(); }

 private:
  Connection& connection_;
  Transaction transaction_;
  StateRow state_row_;
};

}  // namespace quire::sql
