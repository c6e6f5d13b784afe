#include "page_index/sql/database/pool.h"

#include <algorithm>
#include <new>
#include <random>
#include <thread>

namespace quire::sql {
namespace {

constexpr int max_tries = 5;

// Thrown when the server does not answer whether a connection is alive.
struct Silent {};

// Waits a random time, so that writers which met do not meet again.
void pause(int tries) {
  thread_local std::minstd_rand random(std::random_device{}());
  std::uniform_int_distribution<int> ms(1, 20 * tries);
  std::this_thread::sleep_for(std::chrono::milliseconds(ms(random)));
}

}  // namespace

Pool::Pool(DataSource source, void (*prepare)(Connection&), std::size_t connections,
           std::size_t max_requests)
    : source_(std::move(source)),
      prepare_(prepare),
      max_requests_(max_requests),
      deadlines_(source_.timeouts.answer()),
      threads_(connections) {}

Pool::~Pool() {
  threads_.join();
}

bool Pool::enter(std::uint64_t client) {
  constexpr std::size_t shares = 8;
  std::lock_guard lock(mutex_);
  if (requests_ >= max_requests_) return false;
  auto& own = by_client_[client];
  if (client != 0 && own >= std::max<std::size_t>(max_requests_ / shares, 1)) return false;
  ++own;
  ++requests_;
  return true;
}

void Pool::leave(std::uint64_t client) {
  std::lock_guard lock(mutex_);
  --requests_;
  auto own = by_client_.find(client);
  if (--own->second == 0) by_client_.erase(own);
}

std::optional<Pool::Problem> Pool::attempt(const std::function<void(Connection&)>& work,
                                           Clock::time_point deadline) {
  auto begun = Clock::now();
  if (begun > deadline) {
    return Problem{
        {ErrorCode::unavailable, "The page index's database is too busy. Try again in a moment."}};
  }
  for (int tries = 1;; ++tries) {
    // A connection that fails is closed, which rolls its transaction back.
    std::unique_ptr<Connection> connection;
    bool kept = false;
    try {
      connection = take();
      kept = connection != nullptr;
      if (!kept) {
        connection = std::make_unique<Connection>(source_, &deadlines_);
        prepare_(*connection);
      }
      work(*connection);
      give_back(std::move(connection));
      return {};
    } catch (const soci::soci_error& thrown) {
      auto failure = failure_of(thrown);
      if (failure.kind == FailureKind::lost) forget_idle();
      // A server that is silent will be so in another wait, too.
      if (failure.kind == FailureKind::lost && (!connection || connection->late()))
        failure.kind = FailureKind::unreachable;
      bool unclear = connection && connection->committing();
      bool early = Clock::now() < begun + source_.timeouts.lock;
      bool again = (failure.kind == FailureKind::busy && early) ||
                   (failure.kind == FailureKind::lost && kept);
      if (unclear || !again || tries == max_tries)
        return Problem{error_of(failure, source_.address)};
      connection.reset();
      if (failure.kind == FailureKind::busy) pause(tries);
    } catch (const Silent&) {
      return Problem{error_of({FailureKind::unreachable, 0, "no answer"}, source_.address)};
    } catch (const NoTables&) {
      return Problem{{ErrorCode::unavailable, "There is no page index yet. Run quire backfill."},
                     true};
    } catch (const std::exception& thrown) {
      return Problem{{ErrorCode::unavailable, thrown.what()}};
    }
  }
}

std::unique_ptr<Connection> Pool::take() {
  Idle idle;
  {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    idle = std::move(idle_.back());
    idle_.pop_back();
  }
  if (Clock::now() - idle.since < source_.timeouts.idle || idle.connection->alive())
    return std::move(idle.connection);
  forget_idle();
  if (idle.connection->late()) throw Silent();
  return nullptr;
}

// The work is done: where there is no memory to keep the connection, it is closed.
void Pool::give_back(std::unique_ptr<Connection> connection) noexcept try {
  std::lock_guard lock(mutex_);
  idle_.push_back({std::move(connection), Clock::now()});
} catch (const std::bad_alloc&) {
}

void Pool::forget_idle() {
  std::vector<Idle> gone;
  std::lock_guard lock(mutex_);
  gone.swap(idle_);
}

}  // namespace quire::sql
