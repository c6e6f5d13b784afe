// Coroutines that need the same answer at the same time share one question. Each waits for the
// answer until its own deadline, on its own loop, which has one thread. Thread-safe.
#pragma once

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "loop/awaitable.h"
#include "loop/gate.h"

namespace quire {

// An answer that is given once, to any number that wait for it.
template <class T>
class SharedAnswer {
 public:
  void give(T answer) {
    std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    for (auto& waiter : waiters_) {
      boost::asio::post(waiter->timer.get_executor(), [waiter, answer = *answer_] {
        waiter->answer = answer;
        waiter->timer.cancel();
      });
    }
    waiters_.clear();
  }

  // Absent: the deadline came first, or the caller is cancelled.
  static Awaitable<std::optional<T>> wait(std::shared_ptr<SharedAnswer> shared, Deadline deadline) {
    SameWork same;
    auto waiter = std::make_shared<Waiter>(
        boost::asio::steady_timer(co_await boost::asio::this_coro::executor, deadline));
    if (!shared->add(waiter)) co_return shared->answer_;
    // Also where the coroutine is cancelled: then nothing of its loop is left here.
    struct Leave {
      std::shared_ptr<SharedAnswer> answer;
      std::shared_ptr<Waiter> waiter;
      ~Leave() { answer->remove(waiter); }
    } leave{shared, waiter};
    co_await waiter->timer.async_wait(await);
    co_return std::move(waiter->answer);
  }

  // Whether anyone waits now.
  bool awaited() const {
    std::lock_guard lock(mutex_);
    return !waiters_.empty();
  }

 private:
  // Only the loop of the coroutine uses it.
  struct Waiter {
    boost::asio::steady_timer timer;  // ends the wait
    std::optional<T> answer = {};
  };

  // False: the answer is there, and does not change any more.
  bool add(const std::shared_ptr<Waiter>& waiter) {
    std::lock_guard lock(mutex_);
    if (answer_) return false;
    waiters_.push_back(waiter);
    return true;
  }
  void remove(const std::shared_ptr<Waiter>& waiter) {
    std::lock_guard lock(mutex_);
    std::erase(waiters_, waiter);
  }

  mutable std::mutex mutex_;
  std::optional<T> answer_;                       // guarded by mutex_
  std::vector<std::shared_ptr<Waiter>> waiters_;  // guarded by mutex_
};

// The question that is under way, if one is.
template <class T>
class PresentQuestion {
 public:
  // With neither, the question was not answered.
  struct Outcome {
    std::optional<T> answer = {};
    std::exception_ptr thrown = {};
  };
  using Question = SharedAnswer<Outcome>;

  // The question, and whether it is a new one that the caller has to put.
  std::pair<std::shared_ptr<Question>, bool> enter() {
    std::lock_guard lock(mutex_);
    bool first = !question_;
    if (first) question_ = std::make_shared<Question>();
    return {question_, first};
  }
  bool asking() const {
    std::lock_guard lock(mutex_);
    return question_ != nullptr;
  }
  void end(Outcome outcome) {
    std::unique_lock lock(mutex_);
    auto question = std::exchange(question_, nullptr);
    lock.unlock();
    question->give(std::move(outcome));
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Question> question_;  // guarded by mutex_
};

// Asks anew when the last question has ended; keeps no answer.
template <class T>
class OneAnswer {
 public:
  using Ask = std::function<Awaitable<T>()>;

  // Asks unless a question is under way, and waits. Throws where the caller is cancelled.
  Awaitable<T> get(Ask ask) {
    auto answer = co_await get_until(Deadline::max(), std::move(ask));
    if (!answer) throw boost::system::system_error(boost::asio::error::operation_aborted);
    co_return std::move(*answer);
  }
  // The same, absent where the deadline came first, or the caller is cancelled. The question runs
  // by itself on the loop of the caller that began it, so it goes on when the caller gives up or is
  // cancelled; what it uses must outlive the work of that loop. Where that loop is destroyed first,
  // a caller that waits asks itself. An exception of the question is thrown to all who wait.
  Awaitable<std::optional<T>> get_until(Deadline deadline, Ask ask) {
    auto executor = co_await boost::asio::this_coro::executor;
    for (;;) {
      auto [question, first] = present_->enter();
      if (first) {
        auto putting = work_for(work_of, put(Asking(present_), ask));
        boost::asio::co_spawn(executor, std::move(putting), boost::asio::detached);
      }
      auto outcome = co_await PresentQuestion<T>::Question::wait(question, deadline);
      if (!outcome) co_return std::nullopt;
      if (outcome->thrown) std::rethrow_exception(outcome->thrown);
      if (outcome->answer) co_return std::move(outcome->answer);
    }
  }

  // Whether a question is under way.
  bool asking() const { return present_->asking(); }

 private:
  // Ends the question however its coroutine ends.
  class Asking {
   public:
    explicit Asking(std::shared_ptr<PresentQuestion<T>> present) : present_(std::move(present)) {}
    Asking(Asking&&) noexcept = default;
    ~Asking() {
      if (present_) present_->end(std::move(outcome));
    }

    typename PresentQuestion<T>::Outcome outcome;

   private:
    std::shared_ptr<PresentQuestion<T>> present_;
  };

  static Awaitable<void> put(Asking asking, Ask ask) {
    try {
      asking.outcome.answer = co_await ask();
    } catch (...) {
      asking.outcome.thrown = std::current_exception();
    }
  }

  const std::shared_ptr<PresentQuestion<T>> present_ = std::make_shared<PresentQuestion<T>>();
};

// Waits for `ask` until the deadline; absent: it came first. Then `ask` goes on by itself, on the
// loop of the caller, so it owns what it needs.
template <class T>
Awaitable<std::optional<T>> within(Deadline deadline, std::function<Awaitable<T>()> ask) {
  OneAnswer<T> one;
  co_return co_await one.get_until(deadline, std::move(ask));
}

}  // namespace quire
