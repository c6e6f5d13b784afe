#include "app/seen.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "projection/shards.h"

namespace quire {
namespace {

using change::Mark;
using projection::Read;

constexpr Milliseconds poll{250};  // five reads a second of a shard are allowed
constexpr int most_expired = 100;
constexpr int most_attempts = 8;  // in a row: a recount is not thrown away for a busy shard
// A shard whose last records are no longer kept answers with nothing for ever.
constexpr int enough_empty = 100;

Error gone() {
  return {ErrorCode::unavailable,
          "The stream lost records while they were read. Run quire backfill again."};
}

// Where a reader of one shard stands.
struct Reading {
  std::string arn, shard;
  std::string place = {}, iterator = {};
  int expired = 0;
  bool gone = false;  // there is no more to be read, ever
};

// The next records; an iterator that expired is taken anew.
Awaitable<Result<Read>> next(projection::Source& source, Reading& reading) {
  for (; reading.expired < most_expired; ++reading.expired) {
    if (reading.iterator.empty()) {
      auto from = co_await source.iterator(reading.arn, reading.shard, reading.place);
      if (!from) co_return from.error();
      reading.gone = from->gone;
      if (reading.gone) co_return gone();
      reading.iterator = std::move(from->text);
    }
    auto read = co_await source.read(reading.iterator);
    if (!read) co_return read.error();
    reading.iterator = read->next;
    reading.gone = read->what == Read::What::gone;
    if (reading.gone) co_return gone();
    if (read->what == Read::What::records) {
      if (!read->place.empty()) reading.place = read->place;
      co_return std::move(*read);
    }
  }
  co_return gone();
}

// Whether the mark covers what was read to there.
bool within(const Mark& mark, const std::string& place) {
  return mark.ended || dynamodb::not_after(place, mark.place);
}

// Until it works, or nothing more can be read.
template <class Work>
auto patiently(const Reading& reading, Work work) -> decltype(work()) {
  auto done = co_await work();
  for (int attempt = 1; !done && !reading.gone && attempt < most_attempts; ++attempt) {
    co_await pause(poll * (1 << attempt));
    done = co_await work();
  }
  co_return done;
}

Awaitable<Status> mark_shard(projection::Source& source, Reading reading, Mark mark,
                             dynamodb::TableStatistics& statistics) {
  std::vector<change::Change> counted;
  auto read_next = [&] { return next(source, reading); };
  auto put_counted = [&] { return statistics.put_seen(counted, system_ms() / 1000); };
  for (int empty = 0; empty < enough_empty && within(mark, reading.place);) {
    auto read = co_await patiently(reading, read_next);
    if (!read) co_return read.error();
    counted = std::move(read->changes);
    std::erase_if(counted, [&](const auto& change) { return !within(mark, change.place); });
    auto put = co_await patiently(reading, put_counted);
    if (!put) co_return put;
    if (read->next.empty() || reading.place == mark.place) break;
    empty = read->records == 0 ? empty + 1 : 0;
    co_await pause(poll);
  }
  co_return Done{};
}

}  // namespace

Awaitable<Status> mark_seen(projection::Source& source, const change::State& counted,
                            dynamodb::TableStatistics& statistics) {
  auto stream = co_await source.stream();
  if (!stream) co_return stream.error();
  for (const auto& shard : stream->shards) {
    auto at = counted.marks.find(shard.id);
    if (at == counted.marks.end()) continue;  // newer than the recount
    if (!at->second.ended && at->second.place.empty()) continue;
    Reading reading{stream->arn, shard.id};
    auto marked = co_await mark_shard(source, std::move(reading), at->second, statistics);
    if (!marked) co_return marked;
  }
  co_return Done{};
}

}  // namespace quire
