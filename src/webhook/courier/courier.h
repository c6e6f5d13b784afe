// Delivers events to webhooks, in the background of a server: reads the log of events, keeps what
// is owed to each webhook, and tries until it is delivered or its time is over.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "loop/bell.h"
#include "loop/loop.h"
#include "shop/shop.h"
#include "webhook/courier/asks.h"
#include "webhook/courier/events.h"
#include "webhook/courier/ledger.h"
#include "webhook/courier/receiver.h"
#include "webhook/deliveries.h"

namespace quire::webhook {

struct CourierOptions {
  std::string ledger;  // its file
  std::string asks;    // the file of what the operator asks
  std::function<std::shared_ptr<const shop::Shop>()> shop;
  Bell& shop_changed;               // rings after each change of the shop; must outlive the courier
  std::string moderation_url = {};  // empty: messages have no link
  Clock clock = system_ms;
};

class Courier {
 public:
  // Events are looked at together, so that many posts do not wake it as often.
  static constexpr std::chrono::milliseconds between_rounds{200};
  // So often it looks at what is due and what the operator asks. It rests where there is no
  // webhook.
  static constexpr std::chrono::seconds look_every{1}, save_every{1};
  static constexpr std::size_t max_owed = 10'000;  // of a webhook; then the log is read no further
  // Of a webhook: no more are read while so many wait to be sent for the first time or again.
  static constexpr std::size_t max_due = 500;
  static constexpr unsigned max_in_flight = 8;    // of a webhook
  static constexpr unsigned max_of_a_round = 20;  // messages of a webhook: 100 a second
  // After so many failures in a row one event at a time is tried.
  static constexpr unsigned max_failures = 8;

  // Begins at once, on a thread of its own. A webhook that is new gets the events from now on.
  // `events` must outlive this.
  Courier(Events& events, CourierOptions options);
  // Ends soon: what was sent without an answer is sent again by the next courier. A table may be
  // asked for a comment meanwhile, to which it has to answer within its own deadline.
  ~Courier();
  Courier(const Courier&) = delete;

  // By name. Thread-safe.
  std::vector<Deliveries> deliveries() const;

 private:
  // A webhook, its receiver, and what is owed to it.
  struct Line {
    std::shared_ptr<const Webhook> webhook;
    std::shared_ptr<Receiver> receiver;
    Account account;
    bool begun = false;                                          // whether the account has a mark
    std::set<std::pair<std::uint64_t, std::uint64_t>> due = {};  // next_ms, mark; not in flight
    unsigned in_flight = 0;
    unsigned allowance = 0;           // messages that this round may still send
    unsigned failures = 0;            // in a row
    std::uint64_t rest_until_ms = 0;  // nothing is sent before
    std::uint64_t told_ms = 0;        // when the log told of its trouble
    Deliveries counts;
  };
  using SharedLine = std::shared_ptr<Line>;
  // For which it waits, taken before it looks.
  struct Strokes {
    std::shared_ptr<Bell::Stroke> events, shop;
  };

  Awaitable<bool> begin();
  Awaitable<void> run();
  Awaitable<void> rest(Deadline begun, Strokes strokes);
  Awaitable<void> guarded_round();
  Awaitable<void> round();
  Awaitable<bool> end();
  void open_ledger();
  void follow_clock();
  void take_shop();
  SharedLine line_for(const Webhook& webhook);
  Awaitable<void> obey();
  Awaitable<void> retry(Line& line, std::string id);
  void skip(Line& line, const std::string& id);
  Awaitable<void> begin_now(Line& line);
  Awaitable<void> read(SharedLine line);
  Awaitable<std::vector<Event>> wanted(const Webhook& webhook, std::vector<Event> events);
  void owe(Line& line, const Event& event);
  bool has_room(const Line& line) const;
  void start_due(const SharedLine& line);
  Awaitable<void> deliver(SharedLine line, Event event);
  Awaitable<Answer> tell(SharedLine line, std::shared_ptr<Receiver> receiver, Event event);
  Awaitable<Result<std::optional<std::string>>> body_of(const Webhook& webhook, const Event& event);
  void settle(Line& line, std::uint64_t mark, const Answer& answer);
  void settle_failure(Line& line, Owed& owed, const Answer& answer);
  void end_webhook(Line& line);
  void save();
  void publish();
  std::vector<SharedLine> lines() const;

  Events& events_;
  const CourierOptions options_;
  // On the loop alone:
  bool stopping_ = false;
  bool ended_ = false;         // run() has
  unsigned reading_ = 0;       // deliveries that ask for their comment, perhaps on another loop
  bool all_from_log_ = false;  // the ledger was damaged
  bool changed_ = false;       // since the ledger was saved
  Deadline saved_ = {};
  std::uint64_t round_ms_ = 0;  // when the last round began
  Ledger kept_;                 // accounts of which no line was made yet
  std::shared_ptr<const shop::Shop> shop_;
  std::map<std::string, SharedLine> lines_;
  mutable std::mutex mutex_;
  std::vector<Deliveries> deliveries_;  // guarded by mutex_
  LoopThread loop_;                     // declared last, so that it ends first
};

}  // namespace quire::webhook
