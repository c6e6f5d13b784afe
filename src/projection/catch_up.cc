#include "projection/catch_up.h"

#include <fmt/format.h>

#include "loop/loop.h"
#include "projection/shards.h"

namespace quire::projection {
namespace {

struct Goal {
  std::uint64_t until_ms;
  std::chrono::seconds patience;
};

Error stuck(std::chrono::seconds patience, const std::string& trouble) {
  return {ErrorCode::unavailable,
          fmt::format("The stream could not be caught up with: it moved no further for {} s. "
                      "{}",
                      patience.count(), trouble.empty() ? "See the log." : trouble)};
}

// Runs beside the worker, and stops it at the goal. The worker itself looks only once a beat; the
// marks tell sooner. Shards that begin after the stream was described hold nothing that is waited
// for. A mark that is forgotten meanwhile shows in the worker's status.
Awaitable<Status> watch(Source& source, Target& target, Worker& worker, Goal goal, Pace pace) {
  auto stream = co_await source.stream();
  bool there = false;
  std::map<std::string, Mark> marks;
  auto moved = std::chrono::steady_clock::now();
  while (!there && worker.status().phase != Phase::lost &&
         std::chrono::steady_clock::now() < moved + goal.patience) {
    co_await pause(stream ? pace.glance : pace.poll);
    if (!stream) stream = co_await source.stream();
    auto state = co_await target.state();
    if (state && state->marks != marks) {
      marks = state->marks;
      moved = std::chrono::steady_clock::now();
    }
    there = worker.status().as_of_ms >= goal.until_ms ||
            (stream && state && as_of_ms(*state, *stream) >= goal.until_ms);
  }
  worker.stop();
  if (there) co_return Done{};
  auto status = worker.status();
  if (status.phase == Phase::lost) co_return Error{ErrorCode::unavailable, status.trouble};
  co_return stuck(goal.patience, status.trouble);
}

Awaitable<Status> work(Worker& worker) {
  co_await worker.run();
  co_return Done{};
}

}  // namespace

Awaitable<Status> catch_up(Source& source, Target& target, Worker::Options options,
                           std::chrono::seconds patience) {
  auto state = co_await target.state();
  if (state && (state->phase == Phase::empty || state->phase == Phase::lost))
    co_return Error{ErrorCode::unavailable,
                    "The target does not follow the stream. Run quire backfill."};
  // A target that is as of a time may lack changes of that very millisecond. One that was built in
  // this millisecond is as of now from the start, and may be amid the records from before.
  Goal goal{options.clock() + 1, patience};
  auto pace = options.pace;
  Worker worker(source, target, std::move(options));
  std::vector<Awaitable<Status>> works;
  works.push_back(watch(source, target, worker, goal, pace));
  works.push_back(work(worker));
  auto ended = co_await all(std::move(works));
  if (!ended.front()) co_return ended.front().error();
  co_return Done{};
}

}  // namespace quire::projection
