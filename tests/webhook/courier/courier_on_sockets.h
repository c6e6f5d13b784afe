// The courier over real sockets, beside a log of events in memory.
#pragma once

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
#include "webhook/courier/courier.h"
#include "webhook/message.h"

namespace quire::webhook {

inline constexpr std::uint64_t begin_ms = 1'732'104'060'000;

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
  void move(const Ulid& id, const std::string& product) {
    std::lock_guard lock(mutex_);
    comments_.at(id).product = product;
  }
  void forget(std::size_t events) {
    std::lock_guard lock(mutex_);
    forgotten_ = events;
  }

  // Comments are read on another loop from now on, as those of a table are.
  void read_on(LoopThread& table) { table_ = &table; }
  int reading() const { return reading_; }

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
    ++reading_;
    if (table_) co_await table_->run(slowly());
    --reading_;
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
  static Awaitable<bool> slowly() {
    co_await pause(Milliseconds(200));
    co_return true;
  }

  LoopThread* table_ = nullptr;
  std::atomic<int> reading_ = 0;
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

}  // namespace quire::webhook
