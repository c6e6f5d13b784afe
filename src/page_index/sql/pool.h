// Threads that wait for the database, so that loops need not: as many as there are connections.
#pragma once

#include <atomic>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "loop/awaitable.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// Thread-safe. What is queued when it is destroyed is still done.
class Pool {
 public:
  Pool(Place place, std::size_t connections, std::size_t most_requests);
  ~Pool();

  // Runs `work` on a thread of the pool, with a connection of its own; completes on the caller's
  // executor. What it throws becomes an error: unavailable. It is run again where a connection was
  // found broken or others were faster, unless a transaction may have been committed.
  // `without_tables`: the answer of an index that nobody has made yet.
  template <class T>
  Awaitable<Result<T>> run(std::function<T(Connection&)> work,
                           std::optional<T> without_tables = {});

  // The same for what writes; refused where the tables were opened to be read.
  template <class T>
  Awaitable<Result<T>> write(std::function<T(Connection&)> work);

 private:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<void(Connection&)>;

  struct Problem {
    Error error;
    bool no_tables = false;
  };
  struct Idle {
    std::unique_ptr<Connection> connection;
    Clock::time_point since;
  };

  template <class T>
  static Awaitable<Result<T>> refused();
  template <class T>
  Result<T> perform(const std::function<T(Connection&)>& work,
                    const std::optional<T>& without_tables, Clock::time_point deadline);
  std::optional<Problem> attempt(const Work& work, Clock::time_point deadline);
  std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> connection);
  void forget_idle();

  Place place_;
  std::size_t most_requests_;
  std::atomic<std::size_t> requests_ = 0;  // at work or waiting
  std::mutex mutex_;
  std::vector<Idle> idle_;  // guarded by mutex_; the one used last at the end
  boost::asio::thread_pool threads_;
};

template <class T>
Result<T> Pool::perform(const std::function<T(Connection&)>& work,
                        const std::optional<T>& without_tables, Clock::time_point deadline) {
  std::optional<T> done;
  auto problem = attempt([&](Connection& connection) { done.emplace(work(connection)); }, deadline);
  if (!problem) return std::move(*done);
  if (problem->no_tables && without_tables) return *without_tables;
  return problem->error;
}

template <class T>
Awaitable<Result<T>> Pool::run(std::function<T(Connection&)> work,
                               std::optional<T> without_tables) {
  namespace asio = boost::asio;
  auto begin = [this](auto handler, std::function<T(Connection&)> work,
                      std::optional<T> without_tables) {
    auto caller = asio::make_work_guard(asio::get_associated_executor(handler));
    auto finish = [caller, handler = std::move(handler)](Result<T> result) mutable {
      asio::post(caller.get_executor(),
                 [handler = std::move(handler), result = std::move(result)]() mutable {
                   std::move(handler)(std::move(result));
                 });
    };
    if (requests_.fetch_add(1) >= most_requests_) {
      --requests_;
      finish(Error{ErrorCode::unavailable,
                   "Too many requests wait for the page index's database. Try again in a moment."});
      return;
    }
    auto deadline = Clock::now() + place_.patience.queue;
    asio::post(threads_, [this, deadline, work = std::move(work), finish = std::move(finish),
                          without_tables = std::move(without_tables)]() mutable {
      auto result = perform<T>(work, without_tables, deadline);
      --requests_;
      finish(std::move(result));
    });
  };
  return asio::async_initiate<const asio::use_awaitable_t<>, void(Result<T>)>(
      std::move(begin), asio::use_awaitable, std::move(work), std::move(without_tables));
}

template <class T>
Awaitable<Result<T>> Pool::write(std::function<T(Connection&)> work) {
  if (place_.access == Access::read) return refused<T>();
  return run<T>(std::move(work));
}

template <class T>
Awaitable<Result<T>> Pool::refused() {
  co_return Error{ErrorCode::unavailable, "The page index was opened for reading only."};
}

}  // namespace quire::sql
