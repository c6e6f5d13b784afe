#include "projection/seen.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "projection/shards.h"

namespace quire::projection {
namespace {

constexpr int max_expired = 100;  // iterators of a shard
constexpr int max_attempts = 8;   // in a row; a recount is too much work to throw away sooner
// A shard whose last records are no longer kept answers with nothing for ever.
constexpr int enough_empty = 100;

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
      auto from = co_await source.iterator(reading.arn, reading.shard, reading.read_to);
      if (!from) co_return from.error();
      reading.gone = from->gone;
      if (reading.gone) co_return records_gone();
      reading.iterator = std::move(from->text);
    }
    auto read = co_await source.read(reading.iterator);
    if (!read) co_return read.error();
    reading.iterator = read->next;
    reading.gone = read->what == Read::What::gone;
    if (reading.gone) co_return records_gone();
    if (read->what == Read::What::records) {
      if (!read->sequence.empty()) reading.read_to = read->sequence;
      co_return std::move(*read);
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
  for (int attempt = 1; !done && !reading.gone && attempt < max_attempts; ++attempt) {
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
  for (int empty = 0; empty < enough_empty && covers(mark, reading.read_to);) {
    auto read = co_await patiently(reading, poll, next);
    if (!read) co_return read.error();
    counted = std::move(read->changes);
    std::erase_if(counted, [&](const auto& change) { return !covers(mark, change.sequence); });
    auto put = co_await patiently(reading, poll, put_counted);
    if (!put) co_return put;
    if (read->next.empty() || reading.read_to == mark.read_to) break;
    empty = read->records == 0 ? empty + 1 : 0;
    co_await pause(poll);
  }
  co_return Done{};
}

}  // namespace

Awaitable<Status> mark_seen(Source& source, const State& counted, StatisticsTarget& statistics,
                            Milliseconds poll) {
  auto stream = co_await source.stream();
  if (!stream) co_return stream.error();
  for (const auto& shard : stream->shards) {
    auto at = counted.marks.find(shard.id);
    if (at == counted.marks.end()) continue;  // newer than the recount
    const auto& mark = at->second;
    if (!mark.ended && mark.read_to.empty()) continue;
    Reading reading{stream->arn, shard.id};
    auto marked = co_await mark_shard(source, std::move(reading), mark, statistics, poll);
    if (!marked) co_return marked;
  }
  co_return Done{};
}

}  // namespace quire::projection
