#include "projection/catch_up.h"

#include "loop/loop.h"

namespace quire::projection {
namespace {

constexpr Milliseconds glance{20};

// One of two that run together: `stop` ends the other.
Awaitable<Status> watch(Worker& worker, std::uint64_t until_ms, std::chrono::seconds patience) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  Standing standing;
  while (std::chrono::steady_clock::now() < deadline) {
    standing = worker.standing();
    bool stuck = standing.phase == Phase::lost;
    if (standing.as_of_ms >= until_ms || stuck) break;
    co_await pause(glance);
  }
  worker.stop();
  if (standing.as_of_ms >= until_ms) co_return Done{};
  co_return Error{ErrorCode::unavailable,
                  "The stream could not be caught up with. " + standing.trouble};
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
    co_return Error{ErrorCode::unavailable, "It does not follow the stream. Run quire backfill."};
  auto until_ms = options.clock();
  options.pace.poll = Milliseconds(50);
  options.pace.beat = Milliseconds(200);
  Worker worker(source, target, std::move(options));
  std::vector<Awaitable<Status>> works;
  works.push_back(watch(worker, until_ms, patience));
  works.push_back(work(worker));
  auto ended = co_await all(std::move(works));
  if (!ended.front()) co_return ended.front().error();
  co_return Done{};
}

}  // namespace quire::projection
