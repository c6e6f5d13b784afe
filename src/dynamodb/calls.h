// Requests to the service as values, and the decoding of its answers. Nothing here sends anything.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamodb/item.h"
#include "dynamodb/retry.h"

namespace quire::dynamodb {

struct Call {
  std::string operation;  // "Query"
  std::string body;
  Repeat repeat;
  bool slow = false;  // may use all of the request's time in one try: a new try would take longer
};

// A condition or an update in DynamoDB's expression language: names as #a, values as :a.
struct Expression {
  std::string text;
  std::map<std::string, std::string> names = {};  // "#p" → "PK"
  Item values = {};                               // ":v" → a value
};

struct QueryArguments {
  std::string table;
  std::string index = {};  // empty: the table itself
  std::string partition_name;
  std::string partition;
  Type partition_type = Type::string;
  std::string sort_name = {};  // of the bounds, both inclusive; empty: there are none
  std::optional<Attribute> sort_from = {}, sort_to = {};
  std::optional<Item> start = {};  // exclusive
  bool forward = true;
  std::size_t limit = 0;    // 0: as many as fit into an answer
  bool consistent = false;  // sees all that was written before; not for an index
  bool count = false;       // gives the number of items alone; costs the same
};
Call query(const QueryArguments& arguments);

// One of several parts of the table, which together are the whole table.
struct Segment {
  std::size_t number = 0;
  std::size_t of = 1;
};
// A consistent read: sees all that was written before.
Call scan(const std::string& table, const std::optional<Item>& start, std::size_t limit,
          Segment segment = {});
// A consistent read: sees all that was written before.
Call get_item(const std::string& table, const Item& key);
// The service takes at most so many keys, each once.
inline constexpr std::size_t max_batch_keys = 100;
// May not see what was written just before.
Call batch_get(const std::string& table, const std::vector<Item>& keys);
// A write is safe to repeat if its `condition` no longer holds once the write was applied.
Call put_item(const std::string& table, const Item& item,
              const std::optional<Expression>& condition, Repeat repeat);
Call delete_item(const std::string& table, const Item& key,
                 const std::optional<Expression>& condition, Repeat repeat);
// `change` and `condition` have no placeholder in common.
Call update_item(const std::string& table, const Item& key, const Expression& change,
                 const Expression& condition, Repeat repeat);

struct Action {
  enum class Kind { put, update, remove } kind;
  Item item;  // for an update or a removal: its key
  std::optional<Expression> condition = {};
  std::optional<Expression> change = {};  // of an update
};
// Applies all actions or none. DynamoDB applies the same `token` once within ten minutes.
Call transact(const std::string& table, const std::vector<Action>& actions,
              const std::string& token);
// The same, under a fresh token.
Call transact(const std::string& table, const std::vector<Action>& actions);
// The read units an answer was billed; 0: it names none.
double consumed_units(const boost::json::object& answer);

struct PageAnswer {
  std::vector<Item> items;
  std::optional<Item> last;  // the key to read on after; only its absence means the end
  double consumed = 0;
};
// Decodes an answer to query() or scan(). Nothing if the body is not one.
std::optional<PageAnswer> decode_page(std::string_view body);

struct CountAnswer {
  std::uint64_t count;
  std::optional<Item> last;  // as of a PageAnswer
  double consumed = 0;
};
// Decodes an answer to query() that counts.
std::optional<CountAnswer> decode_count(std::string_view body);

struct ItemAnswer {
  std::optional<Item> item;
  double consumed = 0;
};
std::optional<ItemAnswer> decode_get(std::string_view body);

struct BatchAnswer {
  std::vector<Item> items;   // in any order, those that are there
  std::vector<Item> undone;  // keys to ask for again
  double consumed = 0;
};
std::optional<BatchAnswer> decode_batch(std::string_view body, const std::string& table);

}  // namespace quire::dynamodb
