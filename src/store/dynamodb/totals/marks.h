// Marks of statistics: the state of a projection as items of the table, and how old the statistics
// may be. Nothing here sends anything.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "change/target.h"
#include "dynamodb/table_client.h"
#include "loop/one_answer.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/totals/present_stream.h"

namespace quire::dynamodb {

// The name of the statistics' projection.
inline constexpr std::string_view statistics_projection = "statistics";

// Runs on the client's loop. unavailable: the table cannot be read. damaged: a mark is.
Awaitable<Result<change::State>> read_state(TableClient& client);

// Up to when statistics that follow the table's stream are complete, looked up once in a few
// seconds. Used on the client's loop.
class Freshness {
 public:
  Freshness(TableClient& client, PresentStream& stream) : client_(client), stream_(stream) {}

  // Statistics that are read after this call have all that was written before the returned time, in
  // ms since 1970; 0: it is not known, or they follow another stream than the table has.
  Awaitable<Result<std::uint64_t>> get();
  // Whether the time that get() gave last may be kept for a promise. AWS Lambda tells no time of a
  // shard whose records wait while it is called for others. Thread-safe.
  bool is_sure() const { return is_sure_; }

 private:
  Awaitable<Result<std::uint64_t>> ask();

  TableClient& client_;
  PresentStream& stream_;
  OneAnswer<Result<std::uint64_t>> answer_;
  std::uint64_t as_of_ms_ = 0;
  std::atomic<bool> is_sure_ = true;
  Deadline known_until_{};
};

// The item that has all of the state but the marks.
Item state_item(std::string_view projection, const change::State& state);
// The state is of this epoch and phase.
Expression state_is(const std::string& epoch, change::Phase phase);
// Makes a transaction fail if the state is of another epoch or phase. It changes nothing: it puts
// the state that is there.
Action require_state(std::string_view projection, const change::State& state);
// The error when the caller's epoch has ended.
Error epoch_ended();
// The error when a write of statistics was refused each time that it was tried.
Error busy_statistics();
Item mark_item(std::string_view projection, const std::string& epoch, const std::string& shard,
               const change::Mark& mark);
Item mark_key(std::string_view projection, const std::string& shard);
// The shard has this mark in this epoch; without `mark`: the shard has no mark.
Expression mark_is(const std::string& epoch, const std::optional<change::Mark>& mark);

// Adds a state item or a mark to the state; other items add nothing. False: the item is damaged.
bool add_to_state(change::State& state, const Item& item);

}  // namespace quire::dynamodb
