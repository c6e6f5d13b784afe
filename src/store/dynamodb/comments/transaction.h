// Changes of comments with all that must change beside them, as one transaction. Nothing here sends
// anything.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/dynamodb/statistics/delta.h"

namespace quire::dynamodb {

// One comment's: what the table holds, as it was read, and what it shall hold. Attributes of
// `before` that are not Quire's stay.
struct CommentWrite {
  std::optional<Item> before;
  std::optional<Comment> after;
  std::string once = {};  // the idempotency key's item, of a comment that is posted with one
};
// In a comment's item, the PK of the idempotency key's item: that holds its text, too.
inline constexpr std::string_view once_attribute = "once";

// Makes the change, if what is there is still what was read.
Action action_of(const CommentWrite& write);
// Whether it changes any list or count.
bool moves(const CommentWrite& write);

struct Transaction {
  // An action is about a change (its place among them), a product's statistics, or the key.
  struct About {
    enum class What { write, statistics, key } what;
    std::size_t write = 0;
  };

  std::vector<Action> actions;
  std::vector<About> about;              // of each action
  std::map<std::string, Totals> totals;  // of the products concerned, afterwards
};

// `totals`: of every product concerned, as they are believed to be; the transaction fails if they
// are not. `key`: an item that must not be there yet, or have expired by `now_s`.
Transaction transaction_of(std::span<const CommentWrite> writes, const KnownTotals& totals,
                           std::size_t leader_shards, const std::optional<Item>& key,
                           std::uint64_t now_s);

// The condition of taking an idempotency key: it is not there, or has expired.
Expression unused_key(std::uint64_t now_s);

// The product a change is about.
std::string product_of(const CommentWrite& write);

}  // namespace quire::dynamodb
