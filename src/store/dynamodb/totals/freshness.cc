#include "store/dynamodb/totals/freshness.h"

#include <algorithm>

#include "base/clock.h"
#include "store/dynamodb/totals/state.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

Awaitable<Result<std::uint64_t>> Freshness::get() {
  if (std::chrono::steady_clock::now() < known_until_) co_return as_of_ms_;
  std::function<Awaitable<Result<std::uint64_t>>()> asks = [this] { return ask(); };
  co_return co_await answer_.get(std::move(asks));
}

// An eventually consistent read may see a state that is a few seconds old, so no later time is
// promised.
Awaitable<Result<std::uint64_t>> Freshness::ask() {
  constexpr std::uint64_t kept_ms = 1000 * TotalsCache::kept.count();
  auto now = std::chrono::steady_clock::now();
  auto now_ms = system_ms();
  auto state = co_await read_state(client_);
  if (!state) co_return state.error();
  as_of_ms_ = std::min(change::as_of_ms(*state), std::max(now_ms, kept_ms) - kept_ms);
  known_until_ = now + TotalsCache::kept;
  co_return as_of_ms_;
}

}  // namespace quire::dynamodb
