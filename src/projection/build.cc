#include "projection/build.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <span>

#include "base/clock.h"
#include "base/try.h"
#include "loop/loop.h"
#include "projection/follower.h"
#include "projection/recount.h"

namespace quire::projection {

namespace {

constexpr int max_expired = 100;  // iterators of a shard
constexpr int max_recounts = 8;   // in a row; a recount is too much work to throw away sooner
// A shard whose last records are no longer kept answers with nothing for ever.
constexpr int max_empty_reads = 100;

Error records_gone() {
  return {ErrorCode::unavailable,
          "The stream lost records while they were read. Run quire backfill again."};
}

struct Reading {
  std::string arn, shard;
  std::string read_to = {}, iterator = {};
  int expired = 0;
  bool gone = false;  // there is no more to be read, ever
};

// The next records. Takes another iterator when the last one has expired.
Awaitable<Result<Read>> read_next(Source& source, Reading& reading) {
  for (; reading.expired < max_expired; ++reading.expired) {
    if (reading.iterator.empty()) {
      CO_TRY(auto from, co_await source.iterator(reading.arn, reading.shard, reading.read_to));
      reading.gone = from.gone;
      if (reading.gone) co_return records_gone();
      reading.iterator = std::move(from.text);
    }
    CO_TRY(auto read, co_await source.read(reading.iterator));
    reading.iterator = read.next;
    reading.gone = read.kind == Read::Kind::gone;
    if (reading.gone) co_return records_gone();
    if (read.kind == Read::Kind::records) {
      if (!read.sequence.empty()) reading.read_to = read.sequence;
      co_return std::move(read);
    }
  }
  co_return records_gone();
}

bool covers(const Mark& mark, const std::string& sequence) {
  return mark.ended || not_after(sequence, mark.read_to);
}

// Until the work succeeds, or nothing more can be read.
template <class Work>
auto patiently(const Reading& reading, Milliseconds poll, Work work) -> decltype(work()) {
  auto done = co_await work();
  for (int attempt = 1; !done && !reading.gone && attempt < max_recounts; ++attempt) {
    co_await pause(poll * (1 << attempt));
    done = co_await work();
  }
  co_return done;
}

Awaitable<Status> mark_shard(Source& source, Reading reading, Mark mark,
                             StatisticsTarget& statistics, Milliseconds poll) {
  std::vector<Change> counted;
  auto next = [&] { return read_next(source, reading); };
  auto put_counted = [&] { return statistics.put_seen(counted, system_ms() / 1000); };
  for (int empty = 0; empty < max_empty_reads && covers(mark, reading.read_to);) {
    CO_TRY(auto read, co_await patiently(reading, poll, next));
    counted = std::move(read.changes);
    std::erase_if(counted, [&](const auto& change) { return !covers(mark, change.sequence); });
    auto put = co_await patiently(reading, poll, put_counted);
    if (!put) co_return put;
    if (read.next.empty() || reading.read_to == mark.read_to) break;
    empty = read.records == 0 ? empty + 1 : 0;
    co_await pause(poll);
  }
  co_return Done{};
}

constexpr int max_puts = 8;  // of some products, while the table fails
constexpr std::size_t put_at_once = 64;
// A worker builds an empty table itself. When it is to stop, it must not wait long for the stream.
constexpr std::chrono::seconds begin_patience{20};

// Tries again when the table fails: a recount is too much work to throw away for that.
Awaitable<Status> put_some(StatisticsTarget& statistics, Recount& recount,
                           std::span<const std::string> products, std::string epoch,
                           Milliseconds retry_delay) {
  std::map<std::string, Totals> counted;
  for (const auto& product : products) {
    CO_TRY(auto totals, co_await recount.totals(product));
    counted.emplace(product, std::move(totals));
  }
  Status put = Done{};
  for (int attempt = 0; attempt < max_puts; ++attempt) {
    put = co_await statistics.put(counted, epoch);
    if (put) break;
    co_await pause(retry_delay * (1 << attempt));
  }
  co_return put;
}

Awaitable<Status> put_products(StatisticsTarget& statistics, Recount& recount, std::string epoch,
                               Milliseconds retry_delay) {
  std::string after;
  for (;;) {
    CO_TRY(auto products, co_await all_products(statistics, recount, after));
    if (products.empty()) co_return Done{};
    for (std::span<const std::string> left(products); !left.empty();) {
      auto some = left.first(std::min(put_at_once, left.size()));
      left = left.subspan(some.size());
      auto put = co_await put_some(statistics, recount, some, epoch, retry_delay);
      if (!put) co_return put;
    }
    after = products.back();
  }
}

// The state with which the statistics follow the stream once they have the recount. A worker goes
// on from the recount's marks. AWS Lambda gives all records of the stream, also those that the
// recount has: they are marked as seen.
Awaitable<Result<State>> hand_over(const ProjectedTable& table, Recount& recount,
                                   const Building& options) {
  CO_TRY(auto state, co_await recount.state());
  if (options.lambda) {
    CO_TRY_DONE(co_await mark_seen(table.source, state, table.statistics, options.marking_poll));
    state.marks = {{lambda_mark, {{}, false, as_of_ms(state)}}};
  }
  state.epoch = new_name();
  co_return std::move(state);
}

// Workers apply nothing while the statistics are being built. So the recount catches up once more
// after the build has begun: what workers applied until then does not come again.
Awaitable<Status> build_statistics(const ProjectedTable& table, Recount& recount,
                                   const Building& options, Progress& progress) {
  CO_TRY_DONE(co_await recount.count(table.source, options.segments, progress));
  auto& statistics = table.statistics;
  State state{Phase::building, new_name(), {}, {}};
  CO_TRY_DONE(co_await statistics.reset(state));
  auto caught_up = co_await recount.catch_up(table.source);
  if (!caught_up) co_return caught_up;
  CO_TRY_DONE(co_await put_products(statistics, recount, state.epoch, options.retry_delay));
  CO_TRY(auto follows, co_await hand_over(table, recount, options));
  co_return co_await statistics.reset(std::move(follows), state.epoch);
}

}  // namespace

Awaitable<Status> mark_seen(Source& source, const State& counted, StatisticsTarget& statistics,
                            Milliseconds poll) {
  CO_TRY(auto stream, co_await source.stream());
  for (const auto& shard : stream.shards) {
    auto at = counted.marks.find(shard.id);
    if (at == counted.marks.end()) continue;  // newer than the recount
    const auto& mark = at->second;
    if (!mark.ended && mark.read_to.empty()) continue;
    Reading reading{stream.arn, shard.id};
    auto marked = co_await mark_shard(source, std::move(reading), mark, statistics, poll);
    if (!marked) co_return marked;
  }
  co_return Done{};
}

Awaitable<Result<Built>> build(const ProjectedTable& table, const Followed& followed,
                               const MakeIndex& make_index, const Building& options,
                               Progress& progress) {
  if (!options.again) {
    CO_TRY(auto there, co_await is_built(table.source, *followed.target, options.clock));
    if (there) co_return Built{true};
  }
  Status built = Done{};
  if (followed.target == &table.statistics) {
    CO_TRY(auto index, make_index());
    Recount recount(std::move(index), options.recount, options.stall_timeout);
    built = co_await build_statistics(table, recount, options, progress);
  } else {
    built = co_await backfill(table.source, *followed.target, new_name(), options, progress);
  }
  if (!built) co_return built.error();
  co_return Built{};
}

Awaitable<bool> begin_if_empty(const ProjectedTable& table, const Followed& followed,
                               const MakeIndex& make_index) {
  auto scanned = co_await table.source.scan(0, 1, {});
  if (!scanned || !scanned->ended || !scanned->changes.empty()) co_return false;
  Building building{.segments = 1, .stall_timeout = begin_patience};
  Progress progress;
  auto built = co_await build(table, followed, make_index, building, progress);
  if (built)
    spdlog::info("{}: the table was empty; it is followed from here", followed.what);
  else
    spdlog::warn("{}: {}", followed.what, built.error().message);
  co_return static_cast<bool>(built);
}

Awaitable<Status> begin_here(Source& source, Target& target, Clock clock) {
  CO_TRY(auto stream, co_await source.stream());
  State state{Phase::following, new_name(), stream.arn, first_marks(stream, clock())};
  co_return co_await target.reset(std::move(state));
}

}  // namespace quire::projection
