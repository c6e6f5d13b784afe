// Requests to the service as values, and its answers read back. Nothing here sends anything.
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
  bool slow = false;  // takes long when the service is busy, and begun anew it only takes longer
};

// What must hold, or what is changed, in the service's own language: names as #a, values as :a.
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
  std::optional<Item> start = {};  // exclusive
  bool forward = true;
  std::size_t limit = 0;    // 0: as many as fit into an answer
  bool consistent = false;  // sees what was written before; not of an index
};
Call query(const QueryArguments& arguments);

// One of several parts of the table, which together are all of it.
struct Segment {
  std::size_t number = 0;
  std::size_t of = 1;
};
// Sees what was written before.
Call scan(const std::string& table, const std::optional<Item>& start, std::size_t limit,
          Segment segment = {});
// Sees what was written before.
Call get_item(const std::string& table, const Item& key);
// `condition` makes the write safe to repeat, if it does not hold once applied.
Call put_item(const std::string& table, const Item& item,
              const std::optional<Expression>& condition, Repeat repeat);
Call delete_item(const std::string& table, const Item& key,
                 const std::optional<Expression>& condition, Repeat repeat);
// `change` and `condition` have no placeholder in common.
Call update_item(const std::string& table, const Item& key, const Expression& change,
                 const Expression& condition, Repeat repeat);

struct Action {
  enum class What { put, update, remove } what;
  Item item;  // of an update or removal the key
  std::optional<Expression> condition = {};
  std::optional<Expression> change = {};  // of an update
};
// All or nothing. Within ten minutes the same `token` is applied once.
Call transact(const std::string& table, const std::vector<Action>& actions,
              const std::string& token);
// What an answer says it was billed; 0: it does not say.
double consumed_units(const boost::json::object& answer);

struct PageAnswer {
  std::vector<Item> items;
  std::optional<Item> last;  // where to go on; only its absence is the end
  double consumed = 0;
};
// Of query and scan. Nothing if the body is none of theirs.
std::optional<PageAnswer> decode_page(std::string_view body);

struct ItemAnswer {
  std::optional<Item> item;
  double consumed = 0;
};
std::optional<ItemAnswer> decode_get(std::string_view body);

}  // namespace quire::dynamodb
