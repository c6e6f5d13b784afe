// The courier over real sockets, beside a log of events in memory.
#include "webhook/courier/courier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "client/scripted_server.h"
#include "one_loop.h"
#include "temporary_directory.h"
#include "webhook/message.h"

namespace quire::webhook {
namespace {

constexpr std::uint64_t begin_ms = 1'732'104'060'000;

// Marks 1, 2, …; those up to `forgotten` are not there any more.
class PlainEvents : public Events {
 public:
  Event add(std::string type, int rating = 5) {
    std::lock_guard lock(mutex_);
    Event event{.mark = events_.size() + 1, .time_ms = begin_ms, .type = std::move(type)};
    event.id = Ulid::make(event.mark, {});
    event.product = "42";
    event.is_new = event.type == "comment.published";
    comments_[*event.id] = {.id = *event.id,
                            .product = "42",
                            .language = "en",
                            .rating = rating,
                            .author = "Ann",
                            .title = "",
                            .text = "Text."};
    events_.push_back(event);
    bell_.ring();
    return event;
  }
  void remove(const Ulid& id) {
    std::lock_guard lock(mutex_);
    comments_.erase(id);
  }
  void forget(std::size_t events) {
    std::lock_guard lock(mutex_);
    forgotten_ = events;
  }

  Bell& bell() override { return bell_; }
  Awaitable<Result<std::uint64_t>> newest() override {
    std::lock_guard lock(mutex_);
    co_return std::uint64_t{events_.size()};
  }
  Awaitable<Result<std::optional<Run>>> after(std::optional<std::uint64_t> mark,
                                              std::size_t limit) override {
    std::lock_guard lock(mutex_);
    auto from = mark.value_or(forgotten_);
    if (from < forgotten_ || from > events_.size()) co_return std::optional<Run>();
    Run run{{}, from};
    for (; run.last < events_.size() && run.events.size() < limit; ++run.last)
      run.events.push_back(events_[run.last]);
    co_return std::optional(std::move(run));
  }
  Awaitable<Result<std::optional<Event>>> event(std::uint64_t mark) override {
    std::lock_guard lock(mutex_);
    bool there = forgotten_ < mark && mark <= events_.size();
    co_return there ? std::optional(events_[mark - 1]) : std::nullopt;
  }
  Awaitable<Result<std::vector<std::optional<Comment>>>> comments(std::vector<Ulid> ids) override {
    std::lock_guard lock(mutex_);
    std::vector<std::optional<Comment>> out;
    for (const auto& id : ids) {
      auto found = comments_.find(id);
      out.push_back(found == comments_.end() ? std::optional<Comment>() : found->second);
    }
    co_return out;
  }
  Awaitable<Result<std::string>> product_name(std::string) override {
    co_return std::string("Desk lamp");
  }

 private:
  std::mutex mutex_;
  Bell bell_;
  std::vector<Event> events_;
  std::map<Ulid, Comment> comments_;
  std::size_t forgotten_ = 0;
};

class CourierTest : public testing::Test {
 protected:
  CourierTest() { webhooks({webhook()}); }

  Webhook webhook() const {
    return {
        .name = "copy", .url = "http://127.0.0.1:" + server_.port() + "/", .private_network = true};
  }
  void webhooks(std::vector<Webhook> all) {
    auto shop = std::make_shared<shop::Shop>();
    shop->webhooks = std::move(all);
    std::lock_guard lock(mutex_);
    shop_ = std::move(shop);
    shop_changed_.ring();
  }
  void start(std::function<void()> looked = [] {}) {
    auto shop = [this, looked] {
      std::lock_guard lock(mutex_);
      looked();
      return shop_;
    };
    courier_.emplace(events_, CourierOptions{.ledger = ledger_,
                                             .asks = asks_,
                                             .shop = shop,
                                             .shop_changed = shop_changed_,
                                             .clock = [this] { return now_ms_.load(); }});
  }
  void again() {
    courier_.reset();
    start();
  }
  // The courier looks at once, and not within a second.
  void later(std::uint64_t ms) {
    now_ms_ += ms;
    events_.bell().ring();
  }
  void answer(const std::string& status, int times = 1) {
    for (; times > 0; --times)
      server_.answers("HTTP/1.1 " + status + " x\r\nContent-Length: 0\r\n\r\n");
  }
  // Serves until the condition holds.
  template <class Condition>
  [[nodiscard]] testing::AssertionResult soon(Condition holds) {
    for (auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
         std::chrono::steady_clock::now() < end;) {
      loop_.context().restart();
      loop_.context().run_for(std::chrono::milliseconds(5));
      if (holds()) return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "it does not come about";
  }
  Deliveries counts() const {
    auto all = courier_->deliveries();
    return all.empty() ? Deliveries() : all.front();
  }
  auto delivered(std::uint64_t count) {
    return [this, count] { return counts().delivered == count; };
  }
  auto failed(std::uint64_t count) {
    return [this, count] { return counts().failed == count; };
  }
  Account account() const { return read_ledger(ledger_)->at("copy"); }
  // The ids of the messages, in the order in which they came.
  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const auto& request : server_.requests()) out.emplace_back(request["webhook-id"]);
    return out;
  }

  TemporaryDirectory directory_;
  const std::string ledger_ = ledger_file(directory_.path()), asks_ = asks_file(directory_.path());
  std::atomic<std::uint64_t> now_ms_ = begin_ms;
  OneLoop loop_;
  ScriptedServer server_{loop_.context()};
  std::mutex mutex_;
  std::shared_ptr<const shop::Shop> shop_;
  Bell shop_changed_;
  PlainEvents events_;
  std::optional<Courier> courier_;
};

TEST_F(CourierTest, TellsWhatComesAfterItsBeginning) {
  events_.add("comment.published");
  start();
  EXPECT_EQ(account().mark, 1u);
  events_.add("comment.published");
  events_.add("comment.voted");
  events_.add("comment.changed");
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
  auto told = ids();
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (std::vector<std::string>{"evt_2", "evt_4"}));
  courier_.reset();
  EXPECT_EQ(account(), (Account{.url = url_print(webhook().url), .mark = 4}));
}

TEST_F(CourierTest, ReadsACommentWhenItIsTold) {
  auto slack = webhook();
  slack.format = Format::slack;
  slack.max_rating = 2;
  webhooks({slack});
  start();
  events_.remove(*events_.add("comment.published", 1).id);
  events_.add("comment.published", 3);
  events_.add("comment.published", 1);
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_NE(server_.requests()[0].body().find("★☆☆☆☆ *Desk lamp*"), std::string::npos);
  EXPECT_EQ(ids(), std::vector<std::string>{"evt_3"});
}

TEST_F(CourierTest, AnEventThatFailsKeepsNoOtherBack) {
  start();
  answer("500");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  for (int i = 0; i < 20; ++i) events_.add("comment.changed");
  answer("200", 20);
  ASSERT_TRUE(soon(delivered(20)));
  EXPECT_EQ(server_.requests().size(), 21u);
  later(6'000);
  answer("200");
  ASSERT_TRUE(soon(delivered(21)));
  EXPECT_EQ(ids().back(), "evt_1") << "with the same id";
}

TEST_F(CourierTest, TheNextOneTellsWhatIsOwed) {
  start();
  answer("500", 2);
  events_.add("comment.published");
  events_.add("comment.changed");
  ASSERT_TRUE(soon(failed(2)));
  again();
  later(6'000);
  events_.add("comment.replied");
  answer("200", 3);
  ASSERT_TRUE(soon(delivered(3)));
}

TEST_F(CourierTest, WhatWasSentWithoutAnAnswerIsSentAgain) {
  start();
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return server_.requests().size() == 1; }));
  again();
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), (std::vector<std::string>{"evt_1", "evt_1"}));
}

TEST_F(CourierTest, EndsAtA410AndBeginsAgainWhenItIsAsked) {
  start();
  answer("410");
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return counts().ended == 1; }));
  events_.add("comment.published");
  again();
  EXPECT_NE(account().ended_ms, 0u);
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", {}}));
  ASSERT_TRUE(soon([this] { return account().ended_ms == 0; }));
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), (std::vector<std::string>{"evt_1", "evt_3"}));
}

TEST_F(CourierTest, AnotherAddressBeginsAgain) {
  start();
  answer("410");
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return counts().ended == 1; }));
  auto other = webhook();
  other.url += "other";
  webhooks({other});
  ASSERT_TRUE(soon([this] { return account().ended_ms == 0; }));
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
}

TEST_F(CourierTest, GivesUpAfterThreeDays) {
  start();
  events_.add("comment.published");
  int tries = 0;
  for (; counts().given_up == 0 && tries < 100; ++tries) {
    answer("500");
    ASSERT_TRUE(soon(failed(static_cast<std::uint64_t>(tries) + 1)));
    later(std::chrono::milliseconds(wait_after(static_cast<unsigned>(tries) + 1, 1)).count());
  }
  EXPECT_GE(tries, 12);
  EXPECT_LE(tries, 15);
  courier_.reset();
  EXPECT_TRUE(account().owed.empty());
}

TEST_F(CourierTest, RestsAsLongAsTheReceiverAsks) {
  start();
  server_.answers("HTTP/1.1 503 x\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  events_.add("comment.changed");
  later(99'000);
  ASSERT_TRUE(soon([this] { return account().owed.size() == 2; }));
  EXPECT_EQ(server_.requests().size(), 1u);
  later(2'000);
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
}

TEST_F(CourierTest, DoesWhatTheOperatorAsks) {
  start();
  answer("500", 2);
  events_.add("comment.published");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(2)));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", "evt_1"}));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", {}}));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "none", {}}));
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids().back(), "evt_2");
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", "evt_1"}));
  answer("200");
  ASSERT_TRUE(soon(delivered(2)));
  EXPECT_EQ(ids().back(), "evt_1") << "the log has it still";
}

TEST_F(CourierTest, TellsAllAgainWhereItsLedgerIsDamaged) {
  start();
  answer("200", 2);
  events_.add("comment.published");
  events_.add("comment.changed");
  ASSERT_TRUE(soon(delivered(2)));
  courier_.reset();
  std::ofstream(ledger_, std::ios::app) << "x";
  start();
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
  EXPECT_TRUE(std::filesystem::exists(ledger_ + ".damaged"));
}

TEST_F(CourierTest, GoesOnWhereTheLogBeginsLater) {
  start();
  answer("200");
  events_.add("comment.published");
  ASSERT_TRUE(soon(delivered(1)));
  courier_.reset();
  for (int i = 0; i < 3; ++i) events_.add("comment.published");
  events_.forget(3);
  start();
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids().back(), "evt_4");
}

TEST_F(CourierTest, SendsAFewAtATime) {
  start();
  server_.hold(Courier::max_in_flight);
  for (int i = 0; i < 30; ++i) events_.add("comment.changed");
  answer("200", 30);
  ASSERT_TRUE(soon(delivered(30)));
  EXPECT_EQ(server_.accepted(), Courier::max_in_flight) << "connections, which are kept";
}

TEST_F(CourierTest, ReadsLittleFurtherThanItSends) {
  start();
  for (std::size_t i = 0; i < 3 * Courier::max_due; ++i) events_.add("comment.changed");
  ASSERT_TRUE(soon([this] { return account().owed.size() >= Courier::max_due; }));
  EXPECT_LE(account().owed.size(), 2 * Courier::max_due);
}

TEST_F(CourierTest, OwesABoundedNumberOfEvents) {
  auto owed = webhook();
  Account full{.url = url_print(owed.url)};
  for (std::size_t i = 0; i < Courier::max_owed; ++i) {
    auto event = events_.add("comment.changed");
    full.mark = event.mark;
    full.owed.emplace(event.mark, Owed{event, 1, begin_ms, begin_ms + 60'000});
  }
  ASSERT_TRUE(write_ledger(ledger_, {{"copy", full}}));
  auto next = events_.add("comment.changed");
  start();
  for (int i = 0; i < 2; ++i) {  // between them it has looked into the log
    ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", message_id(next)}));
    ASSERT_TRUE(soon([this] { return !LeftAsks::open(asks_).has_value(); }));
  }
  EXPECT_EQ(account().mark, full.mark);
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", "evt_1"}));
  ASSERT_TRUE(soon([&] { return account().mark == next.mark; })) << "there is room";
}

TEST_F(CourierTest, SendsABoundedNumberInARound) {
  constexpr unsigned rounds = 3;
  std::atomic<unsigned> looks = 0;
  start([&looks] { ++looks; });
  for (unsigned i = 0; i < rounds * Courier::max_of_a_round; ++i) events_.add("comment.changed");
  auto before = looks.load();
  answer("200", rounds * Courier::max_of_a_round);
  ASSERT_TRUE(soon(delivered(rounds * Courier::max_of_a_round)));
  EXPECT_GE(looks - before, rounds - 1);
}

TEST_F(CourierTest, RestsWhereThereIsNoWebhook) {
  webhooks({});
  std::atomic<unsigned> looks = 0;
  start([&] { looks += shop_->webhooks.empty(); });
  for (int i = 0; i < 20; ++i) {
    events_.add("comment.published");
    loop_.context().restart();
    loop_.context().run_for(std::chrono::milliseconds(20));
  }
  webhooks({webhook()});
  auto has_begun = [this] {
    auto ledger = read_ledger(ledger_);
    return ledger && ledger->contains("copy");
  };
  ASSERT_TRUE(soon(has_begun));
  EXPECT_LE(looks.load(), 2u) << "when it began, and once more";
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), std::vector<std::string>{"evt_21"});
}

TEST_F(CourierTest, PassesOverWhatItIsNotAskedForWithoutSending) {
  auto chat = webhook();
  chat.max_rating = 2;
  webhooks({chat});
  start();
  for (int i = 0; i < 1'200; ++i) events_.add("comment.published");
  auto bad = events_.add("comment.published", 1);
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), std::vector<std::string>{message_id(bad)});
  courier_.reset();
  EXPECT_EQ(account().mark, bad.mark);
  EXPECT_TRUE(account().owed.empty());
}

}  // namespace
}  // namespace quire::webhook
