#include "wiring/build.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "store/dynamodb/statistics.h"
#include "wiring/recount.h"
#include "wiring/wait.h"

namespace quire {
namespace {

using projection::Phase;
using projection::State;

Awaitable<Status> put_products(dynamodb::TableStatistics& statistics, Recount& recount,
                               std::string epoch) {
  std::string after;
  for (;;) {
    auto products = co_await all_products(statistics, recount, after);
    if (!products) co_return products.error();
    if (products->empty()) co_return Done{};
    for (const auto& product : *products) {
      auto totals = co_await recount.totals(product);
      if (!totals) co_return totals.error();
      auto put = co_await statistics.put(product, std::move(*totals), epoch);
      if (!put) co_return put.error();
    }
    after = products->back();
  }
}

// Workers wait as long as it is building; then they go on from where the recount ends.
Awaitable<Status> build_statistics(OpenProjection& open, Recount& recount,
                                   const projection::Building& options,
                                   projection::Progress& progress) {
  auto counted = co_await recount.count(open.source(), options.segments, progress);
  if (!counted) co_return counted.error();
  auto& statistics = open.statistics();
  State state{Phase::building, new_name(), {}, {}};
  auto begun = co_await statistics.reset(state);
  if (!begun) co_return begun.error();
  auto put = co_await put_products(statistics, recount, state.epoch);
  if (!put) co_return put.error();
  auto follows = co_await recount.state();
  if (!follows) co_return follows.error();
  follows->epoch = new_name();
  co_return co_await statistics.reset(std::move(*follows), state.epoch);
}

Awaitable<Result<Built>> build_it(OpenProjection& open, const OpenProjection::Followed& what,
                                  const projection::Building& options,
                                  projection::Progress& progress) {
  auto state = co_await what.target->state();
  if (!state) co_return state.error();
  if (state->phase == Phase::following && !options.again) co_return Built{true};
  Status built = Done{};
  if (what.target == &open.statistics()) {
    auto recount = Recount::make();
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

Error nothing_follows() {
  return {ErrorCode::invalid_parameter,
          "Nothing follows this table: name a page index with --pages, or let the stream keep the "
          "statistics: --store \"dynamodb:TABLE?statistics=stream\"."};
}

}  // namespace quire
