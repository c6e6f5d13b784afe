// Many wait for one answer, whatever becomes of the one that asked.
#include "loop/one_answer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

#include "loop/loop.h"

namespace quire {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class Asking : public testing::Test {
 protected:
  // A question that is answered when the test says so.
  OneAnswer<int>::Ask ask() {
    return [this]() -> Awaitable<int> {
      ++asked_;
      auto answer = co_await SharedAnswer<int>::wait(said_, Deadline::max());
      if (*answer < 0) throw std::runtime_error("no number");
      co_return *answer;
    };
  }
  void say(int answer) {
    said_->give(answer);
    said_ = std::make_shared<SharedAnswer<int>>();
  }

  // Asks on this loop; `got` has the answers in their order.
  void get(asio::io_context& context, Deadline deadline = Deadline::max()) {
    auto work = [this, deadline]() -> Awaitable<void> {
      auto question = ask();
      got_.push_back(co_await one_.get_until(deadline, std::move(question)));
    };
    asio::co_spawn(context, work, asio::detached);
    context.poll();
  }

  using Got = std::vector<std::optional<int>>;
  std::shared_ptr<SharedAnswer<int>> said_ = std::make_shared<SharedAnswer<int>>();
  int asked_ = 0;
  OneAnswer<int> one_;
  Got got_;
};

TEST_F(Asking, OneAsksAndAllGetItsAnswer) {
  asio::io_context context;
  for (int i = 0; i < 3; ++i) get(context);
  EXPECT_TRUE(one_.asking());
  say(7);
  context.run();
  EXPECT_EQ(got_, (Got{7, 7, 7}));
  EXPECT_EQ(asked_, 1);
  EXPECT_FALSE(one_.asking());
  context.restart();
  get(context);
  say(8);
  context.run();
  EXPECT_EQ(got_.back(), 8) << "an answer is not kept";
}

TEST_F(Asking, EachWaitsUntilItsOwnDeadline) {
  asio::io_context context;
  get(context, std::chrono::steady_clock::now());
  while (got_.empty()) context.run_one();
  get(context);
  EXPECT_EQ(got_, Got{std::nullopt});
  say(7);
  context.run();
  EXPECT_EQ(got_, (Got{std::nullopt, 7})) << "the question went on";
  EXPECT_EQ(asked_, 1);
}

TEST_F(Asking, AnExceptionGoesToAll) {
  asio::io_context context;
  int thrown = 0;
  for (int i = 0; i < 2; ++i) {
    asio::co_spawn(context, one_.get(ask()),
                   [&](const std::exception_ptr& failed, int) { thrown += failed != nullptr; });
  }
  context.poll();
  say(-1);
  context.run();
  EXPECT_EQ(thrown, 2);
  EXPECT_FALSE(one_.asking());
}

TEST_F(Asking, ACallerThatIsCancelledLeavesTheQuestionToTheOthers) {
  asio::io_context context;
  asio::cancellation_signal signal;
  bool threw = false;
  asio::co_spawn(
      context, one_.get(ask()),
      asio::bind_cancellation_slot(signal.slot(), [&](const std::exception_ptr& failed, int) {
        threw = failed != nullptr;
      }));
  context.poll();
  get(context);
  signal.emit(asio::cancellation_type::terminal);
  context.poll();
  EXPECT_TRUE(threw);
  say(7);
  context.run();
  EXPECT_EQ(got_, Got{7});
  EXPECT_EQ(asked_, 1);
}

TEST_F(Asking, WhereTheLoopOfTheQuestionEndsAnotherAsks) {
  asio::io_context context;
  {
    asio::io_context ended;
    get(ended);
    get(context);
  }
  context.poll();
  EXPECT_EQ(asked_, 2);
  say(7);
  context.run();
  EXPECT_EQ(got_, Got{7});
}

TEST(OneAnswer, ServesManyLoopsAtOnce) {
  OneAnswer<int> one;
  std::atomic<int> asked = 0;
  auto ask = [&]() -> Awaitable<int> {
    co_await pause(1ms);
    co_return ++asked;
  };
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int last = 0, j = 0; j < 100; ++j) {
        int answer = wait(one.get(ask));
        wrong += answer <= last;
        last = answer;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(asked, 400);
}

TEST(Within, GivesUpAtTheDeadlineAndTheWorkGoesOn) {
  asio::io_context context;
  bool done = false;
  std::optional<int> got = 1;
  auto work = [&]() -> Awaitable<int> {
    co_await pause(20ms);
    done = true;
    co_return 7;
  };
  auto begin = [&]() -> Awaitable<void> {
    got = co_await within<int>(std::chrono::steady_clock::now(), work);
  };
  asio::co_spawn(context, begin, asio::detached);
  context.run();
  EXPECT_FALSE(got);
  EXPECT_TRUE(done);
  EXPECT_EQ(wait(within<int>(Deadline::max(), work)), 7);
}

}  // namespace
}  // namespace quire
