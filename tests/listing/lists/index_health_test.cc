// A page index is asked for its state seldom, by one request at a time, and with a deadline.
#include "listing/lists/index_health.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "listing/plain_index.h"
#include "loop/loop.h"

namespace quire::lists {
namespace {

namespace asio = boost::asio;

// Answers when it is told to.
class HangingIndex : public PlainIndex {
 public:
  bool hangs = true;
  std::optional<asio::steady_timer> answers;

  Awaitable<Result<change::State>> state() override {
    auto executor = co_await asio::this_coro::executor;
    auto now = co_await PlainIndex::state();
    if (!hangs) co_return now;
    boost::system::error_code cancelled;
    answers.emplace(executor, asio::steady_timer::time_point::max());
    co_await answers->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    co_return now;
  }
};

class IndexHealthOf : public testing::Test {
 protected:
  void SetUp() override { spdlog::set_level(spdlog::level::off); }
  void TearDown() override { spdlog::set_level(spdlog::level::info); }

  asio::io_context loop_{1};  // outlives the timers on it
  std::uint64_t now_ = 5'000'000;
  HangingIndex index_;
  IndexHealth health_{{.index = &index_, .answer_timeout = Milliseconds(100)},
                      [this] { return now_; }};

  // Runs the loop until the status is there; the question may still be under way.
  std::string status() {
    std::optional<IndexStatus> found;
    loop_.restart();
    asio::co_spawn(
        loop_, [&]() -> Awaitable<void> { found = co_await health_.status(); }, asio::detached);
    while (!found && loop_.run_one() > 0) continue;
    return found.value().missing;
  }
};

TEST_F(IndexHealthOf, AnAnswerIsKeptForASecond) {
  index_.hangs = false;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(status(), "");
  EXPECT_EQ(index_.states, 1);
  now_ += 999;
  EXPECT_EQ(status(), "");
  EXPECT_EQ(index_.states, 1);
  now_ += 1;
  EXPECT_EQ(status(), "");
  EXPECT_EQ(index_.states, 2);
  now_ -= 100'000;
  EXPECT_EQ(status(), "") << "a clock that was set back does not keep the answer for a day";
  EXPECT_EQ(index_.states, 3);
  now_ += 1000;
  index_.fails = [](int) { return true; };
  EXPECT_EQ(status(), "The page index cannot be asked now.");
  index_.fails = {};
  now_ += 999;
  EXPECT_EQ(status(), "The page index cannot be asked now.");
  EXPECT_EQ(index_.states, 4) << "no request asks for a second";
  now_ += 1;
  EXPECT_EQ(status(), "");
}

TEST_F(IndexHealthOf, AnIndexThatDoesNotAnswerIsDownAndNotAskedAgainMeanwhile) {
  EXPECT_EQ(status(), "The page index cannot be asked now.");
  now_ += 10'000;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(status(), "The page index cannot be asked now.");
  EXPECT_EQ(index_.states, 1);
  index_.answers->cancel();
  loop_.restart();
  loop_.run();
  EXPECT_EQ(status(), "") << "a late answer counts";
  EXPECT_EQ(index_.states, 1);
}

// While one request asks, the others use the last answer.
TEST_F(IndexHealthOf, AnIndexIsAskedByOneRequestAtATime) {
  index_.hangs = false;
  EXPECT_EQ(status(), "");
  index_.hangs = true;
  now_ += 5000;
  int answered = 0;
  for (int i = 0; i < 4; ++i) {
    asio::co_spawn(
        loop_,
        [&]() -> Awaitable<void> {
          auto status = co_await health_.status();
          EXPECT_EQ(status.missing, "");
          ++answered;
        },
        asio::detached);
  }
  loop_.restart();
  while (answered < 3) loop_.run_one();
  EXPECT_EQ(index_.states, 2);
  index_.answers->cancel();
  loop_.run();
  EXPECT_EQ(answered, 4);
  EXPECT_EQ(index_.states, 2);
}

TEST_F(IndexHealthOf, AnIndexThatBreaksIsDown) {
  class Breaking : public PlainIndex {
    Awaitable<Result<change::State>> state() override {
      throw std::runtime_error("the disk burns");
      co_return said;
    }
  } index;
  IndexHealth health({.index = &index}, [this] { return now_; });
  EXPECT_EQ(wait(health.status()).missing, "The page index cannot be asked now.");
  now_ += 1000;
  EXPECT_EQ(wait(health.status()).missing, "The page index cannot be asked now.");
}

TEST_F(IndexHealthOf, AnIndexThatTheStoreRefusesGivesNoNumbers) {
  PlainIndex index;
  auto refuses = [](change::State state) -> Awaitable<std::string> {
    co_return state.stream == "s" ? "" : "Not so.";
  };
  IndexHealth health({.index = &index, .refuses = refuses}, [this] { return now_; });
  EXPECT_EQ(wait(health.status()).missing, "");
  index.said.stream = "another";
  EXPECT_EQ(wait(health.status_anew()).missing, "Not so.");
}

// While another request asks, the answer that it waits for may be old already.
TEST_F(IndexHealthOf, TheStatusOfNowIsNotThatOfAnEarlierQuestion) {
  index_.hangs = false;
  EXPECT_EQ(status(), "");
  now_ += 5000;
  index_.hangs = true;
  std::optional<IndexStatus> earlier;
  loop_.restart();
  asio::co_spawn(
      loop_, [&]() -> Awaitable<void> { earlier = co_await health_.status(); }, asio::detached);
  while (index_.states < 2) loop_.run_one();
  index_.hangs = false;
  index_.said.phase = change::Phase::building;
  EXPECT_EQ(wait(health_.status_anew()).missing, "The page index is being built.");
  index_.answers->cancel();
  loop_.run();
  EXPECT_EQ(earlier.value().missing, "");
}

// Only the state of the index tells whether it is down.
TEST_F(IndexHealthOf, TheFailureOfOneProductTakesNumbersFromNoOther) {
  index_.hangs = false;
  EXPECT_EQ(status(), "");
  for (int i = 0; i < 3; ++i) {
    health_.failed("42", {ErrorCode::unavailable, "the rows of a product are damaged"});
    EXPECT_EQ(status(), "");
  }
  EXPECT_EQ(index_.states, 1);
}

// Requests of many loops at once; meant for the thread sanitizer as well.
TEST_F(IndexHealthOf, ManyLoopsAgreeWhileTheIndexComesAndGoes) {
  class Flaky : public PlainIndex {
   public:
    std::atomic<int> asked = 0;
    Awaitable<Result<change::State>> state() override {
      co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
      if (++asked % 3 == 0) co_return Error{ErrorCode::unavailable, "gone"};
      co_return said;
    }
  } index;
  std::atomic<std::uint64_t> now = 1'000'000;
  IndexHealth health({.index = &index}, [&] { return now += 10; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        auto status = wait(health.status());
        EXPECT_TRUE(status.missing.empty() ||
                    status.missing == "The page index cannot be asked now.");
        if (round % 50 == 0) health.failed("42", {ErrorCode::unavailable, "gone"});
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LT(index.asked, 4 * 2000);
}

}  // namespace
}  // namespace quire::lists
