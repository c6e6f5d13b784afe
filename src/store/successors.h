// Products that have moved: their comments are another product's, which is their successor.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire {

// What became of a move.
struct Moved {
  std::size_t comments = 0;          // that this call moved
  bool more = false;                 // some are left: the same call goes on
  std::string refused = {};          // why the products stand in the way of it; empty: they do not
  std::optional<Error> failed = {};  // it has begun, and could not go on: unavailable; damaged
};

class SuccessorPort {
 public:
  virtual ~SuccessorPort() = default;

  // Absent: the product has not moved. A successor has none itself. Waits for nothing. Where its
  // row is damaged, writes of the product are refused, and it seems not to have moved.
  virtual std::optional<std::string> successor(std::string_view product) = 0;
  // From now on what is written for `from` is taken for `to`, or for the successor of that; the
  // facts of `from` go. Then its comments, of any status, become the other product's, in small
  // transactions: ids, customers, votes, reports and decisions stay. One call moves a bounded
  // number. A move that was cut off goes on when it is asked for again. Comments that cannot be
  // read stay where they are. unavailable, damaged: nothing was changed.
  virtual Awaitable<Result<Moved>> move(std::string from, std::string to) = 0;
};

// The answer where the port is null. Another try does not help.
inline Error no_successors() {
  return {ErrorCode::forbidden,
          "Products move in an embedded store alone. Export this table, name the new product in "
          "the rows, and import them into another one."};
}

}  // namespace quire
