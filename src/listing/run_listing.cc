#include "listing/run_listing.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "model/document.h"

namespace quire {

Error wordless_table() {
  return {ErrorCode::invalid_parameter,
          "A table has no index of words. A page index beside it can have one: --pages lmdb:DIR, "
          "quire words add, then quire backfill.",
          "q"};
}

Awaitable<Result<Rows>> RunListing::read(std::optional<Position> from, Direction direction) {
  bool forward = direction == Direction::forward;
  CO_TRY(auto found, co_await read_run(from, direction));
  Run& run = found;
  bool empty = run.entries.empty();
  // Without comments, the comment at `from` itself belongs to what lies behind.
  auto near = run.near;
  if (empty && from) near = just_beyond(*from, direction, order_);
  Rows rows{.entries = {},
            .first = forward ? near : run.far,
            .previous = {},
            .next = {},
            .read = run.read,
            .requests = run.requests};
  first_.reset();
  if (run.rank) first_ = Ranked{rows.first, *run.rank};

  std::optional<Position> behind;
  if (!looks()) {
    behind = run.near;
  } else if (from && run.rank && !empty) {
    bool any = forward ? *run.rank > 0 : *run.rank + run.entries.size() < *total();
    if (any) behind = near;
  } else if (from) {
    CO_TRY(auto any, co_await any_behind(*from, direction));
    if (any) behind = near;
  }
  rows.set_neighbours(direction, behind, run.more || !looks() ? run.far : std::nullopt);

  CO_TRY_DONE(co_await complete(run, direction));
  rows.entries = std::move(run.entries);
  if (!forward) std::reverse(rows.entries.begin(), rows.entries.end());
  // Comments that cannot be shown have given their positions.
  rows.damaged = std::erase_if(rows.entries, [](const Entry& row) {
    return row.document.empty() || is_damaged(row.document);
  });
  read_ = rows.read;
  shown_ = rows.entries.size();
  co_return rows;
}

}  // namespace quire
