#include "store/dynamodb/totals/state.h"

#include <algorithm>

#include "store/dynamodb/items/bounds.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {
namespace {

Error damaged() {
  return {ErrorCode::unavailable,
          "The marks of the statistics are damaged: remove the items with the PK "
          "PROJECTION#statistics from the table, and run quire backfill."};
}

}  // namespace

Awaitable<Result<change::State>> read_state(Client& client) {
  change::State state;
  std::optional<Item> start;
  int pages = 0;
  do {
    QueryArguments arguments{.table = client.table(),
                             .partition_name = "PK",
                             .partition = "PROJECTION#" + std::string(statistics_projection),
                             .start = start,
                             .consistent = true};
    auto answer = co_await client.send(query(arguments));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = decode_page(answer.body);
    if (!page || ++pages > max_pages) co_return error_of(broken("an answer is damaged"));
    bool whole = std::all_of(page->items.begin(), page->items.end(),
                             [&](const Item& item) { return add_to_state(state, item); });
    if (!whole) co_return damaged();
    start = std::move(page->last);
  } while (start);
  co_return state;
}

}  // namespace quire::dynamodb
