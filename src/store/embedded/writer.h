// The thread that writes to the store. It commits all writes that wait as one group, because each
// commit costs one flush to disk. If a damaged row stops a group, it commits the writes of the
// group one by one, so that only the writes fail that need the damaged row.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "store/embedded/edit.h"

namespace quire::embedded {

// Thread-safe.
class Writer {
 public:
  static constexpr std::size_t max_queued = 8192;
  static constexpr std::size_t max_group = 1024;

  explicit Writer(const Databases& databases);
  ~Writer();  // commits the queued writes, then stops

  // Runs `work` on an Edit. Completes on the executor of the caller when the group of the write is
  // on disk. unavailable: the queue is full, or the commit failed; then nothing of the group is
  // written.
  template <class T>
  Awaitable<Result<T>> run(std::function<Result<T>(Edit&)> work);

 private:
  // One queued mutation. Both functions run on the writer's thread.
  struct Job {
    virtual ~Job() = default;
    virtual void apply(Edit& edit) = 0;  // called again if the group was aborted
    virtual void finish(const Error* failed) = 0;
  };
  template <class T, class Handler>
  struct JobOf;

  bool push(std::unique_ptr<Job>& job);
  void loop();
  using Group = std::vector<std::unique_ptr<Job>>;
  struct Failed {
    Error error;
    bool damaged;  // the store is damaged somewhere
  };
  void commit(Group& group);
  std::optional<Failed> write(Group& group);

  const Databases& databases_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::unique_ptr<Job>> queue_;  // guarded by mutex_
  bool stopping_ = false;                    // guarded by mutex_
  std::thread thread_;
};

template <class T, class Handler>
struct Writer::JobOf : Job {
  JobOf(std::function<Result<T>(Edit&)> work, Handler handler)
      : work(std::move(work)),
        handler(std::move(handler)),
        busy(boost::asio::make_work_guard(boost::asio::get_associated_executor(this->handler))) {}

  void apply(Edit& edit) override { result.emplace(work(edit)); }

  void finish(const Error* failed) override {
    auto executor = busy.get_executor();
    boost::asio::post(executor,
                      [handler = std::move(handler),
                       result = failed ? Result<T>(*failed) : std::move(*result)]() mutable {
                        std::move(handler)(std::move(result));
                      });
  }

  std::function<Result<T>(Edit&)> work;
  Handler handler;
  boost::asio::executor_work_guard<boost::asio::associated_executor_t<Handler>> busy;
  std::optional<Result<T>> result;
};

template <class T>
Awaitable<Result<T>> Writer::run(std::function<Result<T>(Edit&)> work) {
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Result<T>)>(
      [this](auto handler, std::function<Result<T>(Edit&)> work) {
        std::unique_ptr<Job> job =
            std::make_unique<JobOf<T, decltype(handler)>>(std::move(work), std::move(handler));
        if (push(job)) return;
        Error busy{ErrorCode::unavailable, "Too many writes are waiting. Try again in a moment."};
        job->finish(&busy);
      },
      boost::asio::use_awaitable, std::move(work));
}

}  // namespace quire::embedded
