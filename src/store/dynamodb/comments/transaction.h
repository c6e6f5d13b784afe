// Builds one transaction of writes of comments and of all items that must change with them. Nothing
// here sends anything.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/statistics/delta.h"

namespace quire::dynamodb {

// The insert, replacement or removal of one comment, of any status. Attributes of `before` that are
// not Quire's are kept.
struct CommentWrite {
  std::optional<Item> before;    // the item that was read; absent: an insert
  std::optional<Comment> after;  // absent: a removal
  std::string once = {};         // the PK of the idempotency key's item, if it is posted with a key
  ListParts parts = {};          // of the product's lists
  std::vector<Action> beside = {};  // on items of customers, in the same transaction
  // What the comment's item keeps of its counts without votes, see customer_items.h; empty:
  // nothing. Absent: what it keeps stays.
  std::optional<std::string> unvoted = {};
  // Whether the item keeps the comment's id for imports, see removed_attribute; also that of a
  // removal. Absent: as it was.
  std::optional<bool> keeps_id = {};
};
// The attribute of a comment's item that has the PK of the idempotency key's item, which holds the
// comment's text as well.
inline constexpr std::string_view once_attribute = "once";

// The write, on condition that the table still holds the item that was read.
Action action_of(const CommentWrite& write);
// Whether the write moves the comment between lists, or onto or off them, and so changes counts.
bool moves_comment(const CommentWrite& write);

// The item of an idempotency key, which must not be there yet, or must have expired by `now_s`.
struct KeyPut {
  Item item;
  std::uint64_t now_s;
};

struct Transaction {
  // What an action writes: a comment, an item of its customer, a product's statistics, or an
  // idempotency key. `index`: of the comment's write among the writes, or of the key among the
  // keys.
  struct About {
    enum class Kind { write, beside, statistics, key } kind;
    std::size_t index = 0;
  };

  std::vector<Action> actions;
  std::vector<About> about;              // per action
  std::map<std::string, Totals> totals;  // of all products of the writes, afterwards
};

// `totals`: the expected totals of all products of the writes; the transaction fails if the table
// has others.
Transaction transaction_of(std::span<const CommentWrite* const> writes, const KnownTotals& totals,
                           std::size_t leader_shards, std::span<const KeyPut* const> keys);

// The condition for taking an idempotency key: the key is not there, or has expired.
Expression unused_key(std::uint64_t now_s);

// Whether it removes a comment that is damaged. Of such a comment no list, no statistics and no
// product are known.
bool removes_damaged(const CommentWrite& write);
// The product of the comment. Of a damaged one it throws std::bad_optional_access.
std::string product_of(const CommentWrite& write);

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
  std::set<std::string> keys_;  // of comments, items of customers, and idempotency keys
  std::set<std::string> products_;
  std::set<std::pair<std::string, std::string>> languages_;  // of the products
  std::size_t bytes_ = 0;
};

}  // namespace quire::dynamodb
