// The thread that writes to the store. It commits all writes that wait as one group, because each
// commit costs one flush to disk. If a damaged row stops a group, it commits the writes of the
// group one by one, so that only the writes fail that need the damaged row. Between groups it
// builds and drops facets and words and sweeps votes, a few milliseconds at a time. A second thread
// prepares large segments of words beside it, and those without the words of comments that are
// gone.
#pragma once

#include <array>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "loop/bell.h"
#include "quire/result.h"
#include "store/embedded/edit.h"

namespace quire::embedded {

// Thread-safe.
class Writer {
 public:
  static constexpr std::size_t max_queued = 8192;
  static constexpr std::size_t max_group = 1024;

  // `totals` learns what each commit changes. `bell` rings after each that tells events.
  Writer(const Databases& databases, bitmap_index::KeptTotals& totals, Bell& bell);
  ~Writer();  // commits the queued writes, then stops

  // Runs `work` on an Edit. Completes on the executor of the caller when the group of the write is
  // on disk. unavailable: the queue is full, or the commit failed; then nothing of the group is
  // written. damaged: the write has to read a page or row that is; it alone is not written.
  template <class T>
  Awaitable<Result<T>> run(std::function<Result<T>(Edit&)> work);

  // Takes the words of comments that are gone out of the index, on a thread of its own. The errors
  // of run(), and damaged.
  Awaitable<Status> sweep_words();

  // Why building and dropping of facets and words and sweeping rest. Absent: they do not.
  std::optional<Error> hindrance() const;

 private:
  using Time = std::chrono::steady_clock;

  // One queued mutation. Both functions run on the writer's thread.
  struct Job {
    virtual ~Job() = default;
    virtual void apply(Edit& edit) = 0;  // called again if the group was aborted
    virtual void finish(const Error* failed) = 0;
  };
  template <class T, class Handler>
  struct JobOf;
  struct WordsJob;
  using Group = std::vector<std::unique_ptr<Job>>;
  struct Failed {
    Error error;
    bool damaged;  // the store is damaged somewhere
  };

  bool push(std::unique_ptr<Job>& job);
  void loop();
  bool wait_for_writes(Group& group);
  void commit(Group& group);
  std::optional<Failed> write(const std::function<void(Edit&)>& work);
  void tell_totals(std::vector<Edit::Reindexed> reindexed) noexcept;
  void ring() noexcept;
  void rewrite_words();
  bool rewrite_some();
  void sweep_for(Group& sweeps);
  Result<bool> change_words(std::function<bool(Edit&)> change);
  void look_for_upkeep();
  bool is_due(std::size_t upkeep) const;
  bool is_any_due() const;
  void upkeep();
  bool writes_wait();

  const Databases& databases_;
  bitmap_index::KeptTotals& totals_;
  Bell& bell_;
  UpkeepLeft upkeep_left_{true, true, true};  // as far as is known
  // Until then each rests, because it failed.
  std::array<Time::time_point, std::tuple_size_v<UpkeepLeft>> upkeep_later_{};
  mutable std::mutex mutex_;
  std::array<std::optional<Error>, std::tuple_size_v<UpkeepLeft>> hindrances_;  // guarded by mutex_
  std::condition_variable wake_;
  std::vector<std::unique_ptr<Job>> queue_;   // guarded by mutex_
  std::vector<std::unique_ptr<Job>> sweeps_;  // of words; guarded by mutex_
  bool stopping_ = false;                     // guarded by mutex_
  std::condition_variable words_wake_;
  bool damage_told_ = false;  // of words; on the thread that rewrites them
  std::thread thread_;
  std::thread words_;  // prepares segments of words, which thread_ puts
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

// Changes the store beside the process that writes it, in a single transaction. Waits while that
// process commits. unavailable: there is no store of the present format in the directory. Besides,
// the errors of `change`. Thread-safe.
Status change_beside(const std::string& directory, const std::function<Status(Edit&)>& change);

}  // namespace quire::embedded
