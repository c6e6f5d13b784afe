#include "loop/loop.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <stdexcept>
#include <string>

namespace quire {
namespace {

namespace asio = boost::asio;

using Texts = std::vector<std::string>;

// Lets all other ready handlers run first, several times.
Awaitable<void> turns(int count) {
  for (; count > 0; --count)
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

// Lets others run first, and only then uses its caller's objects.
Awaitable<std::string> branch(int count, std::string text, Texts& ended, bool fails = false) {
  co_await turns(count);
  ended.push_back(text);
  if (fails) throw std::runtime_error(text);
  co_return text;
}

TEST(All, GivesResultsInTheOrderOfTheBranches) {
  Texts ended;
  std::vector<Awaitable<std::string>> works;
  works.push_back(branch(3, "slow", ended));
  works.push_back(branch(0, "at once", ended));
  works.push_back(branch(1, "fast", ended));
  EXPECT_EQ(wait(all(std::move(works))), (Texts{"slow", "at once", "fast"}));
  EXPECT_EQ(ended, (Texts{"at once", "fast", "slow"})) << "at the same time";
}

TEST(All, OfNoWorksIsEmpty) {
  EXPECT_EQ(wait(all(std::vector<Awaitable<std::string>>())), Texts{});
}

TEST(All, ReportsAFailureAfterEveryBranchHasEnded) {
  for (int failing : {0, 1, 4}) {
    auto work = [](int failing, Texts& seen) -> Awaitable<bool> {
      Texts ended;  // destroyed when this call returns
      std::vector<Awaitable<std::string>> works;
      works.push_back(branch(3, "one", ended));
      works.push_back(branch(failing, "two", ended, true));
      works.push_back(branch(2, "three", ended));
      try {
        co_await all(std::move(works));
      } catch (const std::runtime_error& thrown) {
        seen = ended;
        seen.push_back(thrown.what());
      }
      co_return true;
    };
    Texts seen;
    wait(work(failing, seen));
    ASSERT_EQ(seen.size(), 4u);
    EXPECT_EQ(seen.back(), "two");
  }
}

TEST(All, SurvivesTheFailureOfEveryBranch) {
  for (int many : {1, 3}) {
    Texts ended;
    std::vector<Awaitable<std::string>> works;
    for (int i = 0; i < many; ++i) works.push_back(branch(i % 2, "one", ended, true));
    EXPECT_THROW(wait(all(std::move(works))), std::runtime_error);
    EXPECT_EQ(ended, Texts(many, "one"));
  }
}

// Its branches use its local variables.
Awaitable<void> caller(Texts& seen, bool only_one = false) {
  Texts ended;
  std::vector<Awaitable<std::string>> works;
  works.push_back(branch(6, "one", ended));
  if (!only_one) works.push_back(branch(9, "two", ended));
  co_await all(std::move(works));
  seen = ended;
}

TEST(All, KeepsACancelledCallerUntilEveryBranchHasEnded) {
  for (bool only_one : {false, true}) {
    asio::io_context context(1);
    asio::cancellation_signal signal;
    Texts seen;
    bool done = false;
    asio::co_spawn(
        context, caller(seen, only_one),
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { done = true; }));
    auto cancel = [&]() -> Awaitable<void> {
      co_await turns(3);
      EXPECT_FALSE(done);
      signal.emit(asio::cancellation_type::terminal);
    };
    asio::co_spawn(context, cancel, [](std::exception_ptr) {});
    context.run();
    EXPECT_TRUE(done);
    EXPECT_EQ(seen, only_one ? Texts{"one"} : (Texts{"one", "two"}));
  }
}

TEST(All, KeepsACallerThatLostARaceUntilEveryBranchHasEnded) {
  using namespace asio::experimental::awaitable_operators;
  Texts seen;
  auto race = [&]() -> Awaitable<bool> {
    co_await (caller(seen) || turns(2));
    EXPECT_EQ(seen, (Texts{"one", "two"}));
    co_return true;
  };
  EXPECT_TRUE(wait(race()));
}

TEST(All, StartsNothingForACallerThatIsAlreadyCancelled) {
  asio::io_context context(1);
  asio::cancellation_signal signal;
  Texts seen;
  std::exception_ptr failure;
  auto late = [&]() -> Awaitable<void> {
    co_await turns(1);
    signal.emit(asio::cancellation_type::terminal);
    co_await caller(seen);
  };
  asio::co_spawn(context, late,
                 asio::bind_cancellation_slot(
                     signal.slot(), [&](std::exception_ptr thrown) { failure = thrown; }));
  context.run();
  EXPECT_TRUE(failure);
  EXPECT_EQ(seen, Texts{});
}

TEST(LoopThread, RunsWorkOnItsThreadAndCompletesOnThatOfTheCaller) {
  LoopThread loop;
  auto where = []() -> Awaitable<std::thread::id> {
    co_await turns(1);
    co_return std::this_thread::get_id();
  };
  auto call = [&]() -> Awaitable<std::thread::id> {
    auto there = co_await loop.run(where());
    EXPECT_EQ(co_await loop.run(where()), there) << "the loop has one thread";
    EXPECT_EQ(std::this_thread::get_id(), co_await where());
    co_return there;
  };
  EXPECT_NE(wait(call()), std::this_thread::get_id());
}

TEST(LoopThread, RethrowsExceptionsToTheCaller) {
  LoopThread loop;
  auto fails = []() -> Awaitable<int> {
    co_await turns(1);
    throw std::runtime_error("no");
  };
  EXPECT_THROW(wait(loop.run(fails())), std::runtime_error);
}

TEST(LoopThread, TakesResultsWithoutADefaultConstructor) {
  struct Whole {
    explicit Whole(int value) : value(value) {}
    int value;
  };
  LoopThread loop;
  auto make = []() -> Awaitable<Whole> { co_return Whole(7); };
  EXPECT_EQ(wait(loop.run(make())).value, 7);
}

TEST(LoopThread, ServesCallersOfManyThreads) {
  LoopThread loop;
  int count = 0;  // only the thread of the loop uses it
  auto work = [](int& count) -> Awaitable<int> {
    co_await turns(1);
    co_return ++count;
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int call = 0; call < 50; ++call) wait(loop.run(work(count)));
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wait(loop.run(work(count))), 201);
}

}  // namespace
}  // namespace quire
