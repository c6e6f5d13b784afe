// The facets of the table: declared, dropped, and known for a few seconds. They lie in one item.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "dynamodb/known.h"
#include "dynamodb/table_client.h"
#include "loop/one_answer.h"
#include "model/schema.h"
#include "store/dynamodb/items/parts_item.h"

namespace quire::dynamodb {

// Used on the client's loop; only fresh() is for any thread. A facet of a table is ready at once:
// a filter by it reads lists and drops entries, unless a page index holds the facet.
class Facets {
 public:
  static constexpr std::chrono::seconds kept{3};

  explicit Facets(TableClient& client) : client_(client) {}

  using Shared = std::shared_ptr<const Schema>;

  // Those read or written within `kept`; null: none were.
  Shared fresh() const;
  // At most a few seconds old. While the table does not answer, those known last, however old.
  // unavailable: none are known. damaged: the table's item is.
  Awaitable<Result<Known<Schema>>> get();
  // By a consistent read.
  Awaitable<Result<Known<Schema>>> fetch();

  // See Store. Another process learns of it within a few seconds. Declaring a facet again, with the
  // same type and values, is Done.
  Awaitable<Status> declare(Facet facet);
  Awaitable<Status> drop(std::string name);

 private:
  Awaitable<Result<TableFacets>> read(double& consumed);
  Awaitable<Result<bool>> put(TableFacets facets);
  void know(Shared schema);

  TableClient& client_;
  OneAnswer<Result<Known<Schema>>> asked_;
  Deadline damaged_until_;  // the item is taken to be damaged
  mutable std::mutex mutex_;
  Shared known_;          // guarded by mutex_
  Deadline fresh_until_;  // guarded by mutex_
};

}  // namespace quire::dynamodb
