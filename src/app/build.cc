#include "app/build.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>

#include "app/recount.h"
#include "app/seen.h"
#include "base/clock.h"
#include "loop/loop.h"
#include "loop/wait.h"
#include "projection/shards.h"
#include "store/dynamodb/statistics/statistics.h"

namespace quire {
namespace {

using change::Phase;
using change::State;

constexpr int most_attempts = 8;  // at some products, while the table fails
constexpr std::size_t put_at_once = 64;
constexpr std::chrono::seconds begin_patience{20};  // a worker that is to stop waits no longer

// A recount is not thrown away because the table was busy for a moment.
Awaitable<Status> put_some(dynamodb::TableStatistics& statistics, Recount& recount,
                           std::span<const std::string> products, std::string epoch) {
  std::map<std::string, dynamodb::Totals> counted;
  for (const auto& product : products) {
    auto totals = co_await recount.totals(product);
    if (!totals) co_return totals.error();
    counted.emplace(product, std::move(*totals));
  }
  Status put = Done{};
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    put = co_await statistics.put(counted, epoch);
    if (put) break;
    co_await pause(Milliseconds(100 << attempt));
  }
  co_return put;
}

Awaitable<Status> put_products(dynamodb::TableStatistics& statistics, Recount& recount,
                               std::string epoch) {
  std::string after;
  for (;;) {
    auto products = co_await all_products(statistics, recount, after);
    if (!products) co_return products.error();
    if (products->empty()) co_return Done{};
    for (std::span<const std::string> left(*products); !left.empty();) {
      auto some = left.first(std::min(put_at_once, left.size()));
      left = left.subspan(some.size());
      auto put = co_await put_some(statistics, recount, some, epoch);
      if (!put) co_return put;
    }
    after = products->back();
  }
}

// What follows when the recount is in the statistics. A worker goes on from where the recount ends;
// AWS Lambda gives what the stream has, be it counted or not.
Awaitable<Result<State>> hand_over(OpenProjection& open, Recount& recount, bool lambda) {
  auto state = co_await recount.state();
  if (!state) co_return state.error();
  if (lambda) {
    auto marked = co_await mark_seen(open.source(), *state, open.statistics());
    if (!marked) co_return marked.error();
    state->marks = {{projection::lambda_mark, {{}, false, change::as_of_ms(*state)}}};
  }
  state->epoch = new_name();
  co_return std::move(*state);
}

// Nobody applies anything as long as it is building, so the recount catches up once more then: what
// was applied until then will not come again.
Awaitable<Status> build_statistics(OpenProjection& open, Recount& recount,
                                   const projection::Building& options,
                                   projection::Progress& progress) {
  auto counted = co_await recount.count(open.source(), options.segments, progress);
  if (!counted) co_return counted.error();
  auto& statistics = open.statistics();
  State state{Phase::building, new_name(), {}, {}};
  auto begun = co_await statistics.reset(state);
  if (!begun) co_return begun.error();
  auto caught_up = co_await recount.catch_up(open.source());
  if (!caught_up) co_return caught_up;
  auto put = co_await put_products(statistics, recount, state.epoch);
  if (!put) co_return put.error();
  auto follows = co_await hand_over(open, recount, options.lambda);
  if (!follows) co_return follows.error();
  co_return co_await statistics.reset(std::move(*follows), state.epoch);
}

Awaitable<Result<Built>> build_it(OpenProjection& open, const OpenProjection::Followed& what,
                                  const projection::Building& options,
                                  projection::Progress& progress) {
  if (!options.again) {
    auto state = co_await what.target->state();
    if (!state) co_return state.error();
    if (state->phase == Phase::following) co_return Built{true};
  }
  Status built = Done{};
  if (what.target == &open.statistics()) {
    auto recount = Recount::make(options.poll, options.patience);
    if (!recount) co_return recount.error();
    built = co_await build_statistics(open, **recount, options, progress);
  } else {
    built =
        co_await projection::backfill(open.source(), *what.target, new_name(), options, progress);
  }
  if (!built) co_return built.error();
  co_return Built{};
}

}  // namespace

Result<Built> build(OpenProjection& open, const OpenProjection::Followed& what,
                    const projection::Building& options, projection::Progress& progress) {
  return wait(build_it(open, what, options, progress));
}

Awaitable<bool> begin_if_empty(OpenProjection& open, const OpenProjection::Followed& what) {
  auto scanned = co_await open.source().scan(0, 1, {});
  if (!scanned || !scanned->ended || !scanned->changes.empty()) co_return false;
  projection::Building building{.segments = 1, .patience = begin_patience};
  projection::Progress progress;
  auto built = co_await build_it(open, what, building, progress);
  if (built)
    spdlog::info("{}: the table was empty; it is followed from here", what.what);
  else
    spdlog::warn("{}: {}", what.what, built.error().message);
  co_return static_cast<bool>(built);
}

Error nothing_follows() {
  return {ErrorCode::invalid_parameter,
          "Nothing follows this table: name a page index with --pages, or let the stream keep the "
          "statistics: --store \"dynamodb:TABLE?statistics=stream\"."};
}

}  // namespace quire
