// In how many parts the lists of hot products lie: declared in an item of the table, and known for
// a few seconds.
//
// The promise: a reader asks every part in which a comment may lie. So a declaration has two steps:
// announce() tells the readers of more parts, and after `settled` begin() has writers use them.
// What a reader goes by is never older than `max_age`. A request that goes by it has the rest of
// `settled` for its reads: one that takes longer may lack comments that were posted while it ran.
#pragma once

#include <time.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "dynamodb/known.h"
#include "dynamodb/table_client.h"
#include "store/dynamodb/items/parts_item.h"

namespace quire::dynamodb {

// The lists of a product, or of all products whose name is empty, in one index.
struct PartsOf {
  std::string product;
  std::size_t index;  // of `indexes`
};

// Goes on while the machine is suspended. std::chrono::steady_clock stands still then, and takes
// for fresh what is hours old.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<BootClock>;

  static time_point now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + duration(time.tv_nsec));
  }
};

// Used on the client's loop; only fresh() is for any thread.
class KnownParts {
 public:
  static constexpr std::chrono::seconds kept{3}, max_age{6}, settled{30};

  explicit KnownParts(TableClient& client) : client_(client) {}

  using Shared = std::shared_ptr<const TableParts>;

  // Those read within `kept`; null: none were.
  Shared fresh() const;
  // At most `max_age` old. unavailable. Where the item is damaged, readers ask all parts there
  // could be, and writers use the first.
  Awaitable<Result<Known<TableParts>>> get();
  // By a consistent read. damaged: the item is.
  Awaitable<Result<TableParts>> read();

  // Both write a damaged item anew, as readers and writers understand it: all parts are read.

  // From `settled` after this, readers ask at least so many parts, 1 to max_parts. Returns whether
  // begin() has to wait that long: new comments go into fewer. Another may have announced them, but
  // nobody knows when.
  Awaitable<Result<bool>> announce(PartsOf of, std::uint8_t parts);
  // From now on, and in other processes from `max_age` on, new comments go into so many parts.
  // Readers go on to ask all that were ever announced.
  Awaitable<Status> begin(PartsOf of, std::uint8_t parts);

 private:
  using Declaration = TableParts::Declaration;

  Shared younger_than(std::chrono::seconds age) const;
  Awaitable<Result<Known<TableParts>>> ask();
  // Returns the declaration as it is now.
  Awaitable<Result<Declaration>> change(PartsOf of, std::function<Declaration(Declaration)> change);
  Shared know(TableParts parts, BootClock::time_point since);

  TableClient& client_;
  bool asking_ = false;
  mutable std::mutex mutex_;
  Shared known_;                 // guarded by mutex_
  BootClock::time_point since_;  // guarded by mutex_
};

}  // namespace quire::dynamodb
