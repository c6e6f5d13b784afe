// Threads that wait for the database, so that no event loop waits. Each has a connection.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "loop/awaitable.h"
#include "page_index/sql/database/connection.h"

namespace quire::sql {

// Thread-safe. The destructor runs the queued work first.
class Pool {
 public:
  // `prepare` is called with each new connection.
  Pool(DataSource source, void (*prepare)(Connection&), std::size_t connections,
       std::size_t max_requests);
  ~Pool();

  // Runs `work` on a thread of the pool, with a connection of its own; completes on the executor of
  // the caller. An exception becomes the error `unavailable`. A broken connection or a faster
  // writer makes `work` run again, unless its transaction may be committed. `without_tables`: the
  // result as long as no process has made the tables.
  template <class Work, class T = std::invoke_result_t<const Work&, Connection&>>
  Awaitable<Result<T>> run(Work work, std::type_identity_t<std::optional<T>> without_tables = {});

  // The same for writes. unavailable: the index was opened with Access::read.
  template <class Work, class T = std::invoke_result_t<const Work&, Connection&>>
  Awaitable<Result<T>> write(Work work);

 private:
  using Clock = std::chrono::steady_clock;

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
  template <class Work, class T>
  Result<T> perform(const Work& work, const std::optional<T>& without_tables,
                    Clock::time_point deadline);
  std::optional<Problem> attempt(const std::function<void(Connection&)>& work,
                                 Clock::time_point deadline);
  // A connection that is alive; null: there is none. Throws Silent.
  std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> connection) noexcept;
  void forget_idle();
  // Counts a request of a client, see work_of. False: as many as may be run or wait, or an eighth
  // of them is the client's.
  bool enter(std::uint64_t client);
  void leave(std::uint64_t client);

  DataSource source_;
  void (*prepare_)(Connection&);
  std::size_t max_requests_;
  std::mutex mutex_;
  std::size_t requests_ = 0;  // running or waiting; guarded by mutex_, as is the next
  std::unordered_map<std::uint64_t, std::size_t> by_client_;  // of them
  SocketDeadlines deadlines_;
  std::vector<Idle> idle_;  // guarded by mutex_; the last used one at the end
  boost::asio::thread_pool threads_;
};

template <class Work, class T>
Result<T> Pool::perform(const Work& work, const std::optional<T>& without_tables,
                        Clock::time_point deadline) {
  std::optional<T> done;
  auto problem = attempt([&](Connection& connection) { done.emplace(work(connection)); }, deadline);
  if (!problem) return std::move(*done);
  if (problem->no_tables && without_tables) return *without_tables;
  return problem->error;
}

template <class Work, class T>
Awaitable<Result<T>> Pool::run(Work work, std::type_identity_t<std::optional<T>> without_tables) {
  namespace asio = boost::asio;
  auto begin = [this](auto handler, Work work, std::optional<T> without_tables) {
    auto caller = asio::make_work_guard(asio::get_associated_executor(handler));
    auto finish = [caller, handler = std::move(handler)](Result<T> result) mutable {
      asio::post(caller.get_executor(),
                 [handler = std::move(handler), result = std::move(result)]() mutable {
                   std::move(handler)(std::move(result));
                 });
    };
    auto client = work_of;
    if (!enter(client)) {
      finish(Error{ErrorCode::unavailable,
                   "Too many requests wait for the page index's database. Try again in a moment."});
      return;
    }
    auto deadline = Clock::now() + source_.timeouts.queue;
    asio::post(threads_,
               [this, client, deadline, work = std::move(work), finish = std::move(finish),
                without_tables = std::move(without_tables)]() mutable {
                 auto result = perform(work, without_tables, deadline);
                 leave(client);
                 finish(std::move(result));
               });
  };
  SameWork same;
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(Result<T>)>(
      std::move(begin), asio::use_awaitable, std::move(work), std::move(without_tables));
}

template <class Work, class T>
Awaitable<Result<T>> Pool::write(Work work) {
  if (source_.access == Access::read) return refused<T>();
  return run(std::move(work));
}

template <class T>
Awaitable<Result<T>> Pool::refused() {
  co_return Error{ErrorCode::unavailable, "The page index was opened for reading only."};
}

}  // namespace quire::sql
