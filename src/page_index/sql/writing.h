// One transaction that writes: of several writers, of whatever process, one at a time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// The state as both readers and writers find it, without marks.
struct Life {
  change::State state;
  std::string clearing;  // whose reset() is under way, if one is
};
// `lock`: the dialect's, or nothing.
Life read_life(Connection& connection, std::string_view lock);

class Writing {
 public:
  // Waits for its turn.
  explicit Writing(Connection& connection);

  const Life& life() const { return life_; }
  std::optional<change::Mark> mark(const std::string& shard);

  // Rows become what the changes say; counts follow what really changed.
  void change(std::span<const change::Change> changes);
  // A product's counts are again what its rows say, whatever they were.
  void recount(const std::string& product);
  void set(const std::string& shard, const change::Mark& mark);
  void forget(const std::vector<std::string>& shards);
  void set(const Life& life);  // with its marks, if it has any: others stay
  void forget_marks();

  // Removes up to `most` comments, and the counts of products of which none are left; of products
  // before `from` there are none. Returns where to go on; nothing: all are gone.
  std::optional<std::string> clear(const std::string& from, std::size_t most);

  void commit() { transaction_.commit(); }

 private:
  Connection& connection_;
  Transaction transaction_;
  Life life_;
};

}  // namespace quire::sql
