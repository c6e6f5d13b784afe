// The size of a transaction before it is built. Used on one loop; not thread-safe.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "store/dynamodb/comments/transaction.h"
#include "store/dynamodb/items/bounds.h"

namespace quire::dynamodb {

// The room that writes and idempotency keys take up in a transaction.
class Room {
 public:
  Room() = default;
  explicit Room(const CommentWrite& write);
  explicit Room(const Item& key);

  const std::set<std::string>& products() const { return products_; }
  // Whether both fit in one transaction of so many actions: it takes no item twice, and its bytes
  // have a bound too.
  bool fits(const Room& more, std::size_t actions = max_actions) const;
  void add(const Room& more);

 private:
  std::set<std::string> keys_;  // PK of comments and idempotency keys
  std::set<std::string> products_;
  std::set<std::pair<std::string, std::string>> languages_;  // of the products
  std::size_t bytes_ = 0;
};

}  // namespace quire::dynamodb
