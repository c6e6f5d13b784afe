#include "webhook/courier/courier.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <cstdio>
#include <optional>

#include "base/text.h"
#include "webhook/message.h"

namespace quire::webhook {
namespace {

constexpr std::size_t batch = 500;  // events of one read
constexpr int max_batches = 20;     // of one round
constexpr std::chrono::hours rest_without_webhooks{1};
constexpr std::chrono::milliseconds between_looks{5};  // whether all has ended

}  // namespace

Courier::Courier(Events& events, CourierOptions options)
    : events_(events), options_(std::move(options)) {
  open_ledger();
  // Whatever comes after this is told.
  wait(loop_.run(begin()));
  boost::asio::co_spawn(loop_.context(), run(), boost::asio::detached);
}

Courier::~Courier() {
  wait(loop_.run(end()));
}

std::vector<Deliveries> Courier::deliveries() const {
  std::lock_guard lock(mutex_);
  return deliveries_;
}

void Courier::open_ledger() {
  auto read = read_ledger(options_.ledger);
  if (read) {
    kept_ = std::move(*read);
    return;
  }
  // It is whole, perhaps: to begin anew would tell each event again.
  if (read.error().code != ErrorCode::damaged) throw std::runtime_error(read.error().message);
  // What was owed is not known any more, so all events that are there are told again.
  all_from_log_ = true;
  auto aside = options_.ledger + ".damaged";
  spdlog::error("{}: {}. Webhooks are told again of all events of the log; the file is now {}.",
                options_.ledger, read.error().message, aside);
  std::rename(options_.ledger.c_str(), aside.c_str());
}

Awaitable<bool> Courier::begin() {
  co_await guarded_round();
  co_return true;
}

// Messages that are under way go with the loop; each keeps its line and its receiver till then. An
// answer from another loop must not come to one that is gone.
Awaitable<bool> Courier::end() {
  stopping_ = true;
  events_.stop();
  events_.bell().ring();
  options_.shop_changed.ring();
  while (!ended_ || reading_ > 0) co_await pause(between_looks);
  saved_ = {};
  save();
  lines_.clear();
  co_return true;
}

Awaitable<void> Courier::run() {
  while (!stopping_) {
    auto begun = std::chrono::steady_clock::now();
    Strokes strokes{events_.bell().next(), options_.shop_changed.next()};
    co_await guarded_round();
    if (!stopping_) co_await rest(begun, std::move(strokes));
  }
  ended_ = true;
}

// Until there is something to do; events that come within `between_rounds` wake it once.
Awaitable<void> Courier::rest(Deadline begun, Strokes strokes) {
  if (lines_.empty()) {
    auto until = begun + rest_without_webhooks;
    co_await Bell::Stroke::wait(std::move(strokes.shop), until);
    co_return;
  }
  bool soon = changed_;
  for (const auto& [name, line] : lines_)
    soon = soon || line->in_flight > 0 || line->allowance == 0;
  if (!soon) {
    auto until = begun + look_every;
    co_await Bell::Stroke::wait(std::move(strokes.events), until);
  }
  auto left = begun + between_rounds - std::chrono::steady_clock::now();
  if (!stopping_) co_await pause(std::chrono::ceil<std::chrono::milliseconds>(left));
}

Awaitable<void> Courier::guarded_round() {
  try {
    co_await round();
  } catch (const std::exception& failure) {
    spdlog::error("webhooks rest for a moment: {}", failure.what());
  }
}

// Waiting times are times of day, since the ledger has them. Where the clock was set back, they go
// back with it: else nothing would be sent for as long.
void Courier::follow_clock() {
  constexpr std::uint64_t usual_ms = 5000;
  auto now_ms = options_.clock(), before_ms = std::exchange(round_ms_, now_ms);
  if (now_ms + usual_ms >= before_ms) return;
  auto back = [by = before_ms - now_ms](std::uint64_t& time_ms) {
    time_ms -= std::min(time_ms, by);
  };
  for (auto& [name, line] : lines_) {
    for (auto* time_ms : {&line->rest_until_ms, &line->told_ms, &line->account.failing_ms})
      back(*time_ms);
    decltype(line->due) due;
    for (auto& [mark, owed] : line->account.owed) {
      bool waits = line->due.contains({owed.next_ms, mark});
      back(owed.first_ms);
      back(owed.next_ms);
      if (waits) due.emplace(owed.next_ms, mark);
    }
    line->due = std::move(due);
  }
  changed_ = true;
}

Awaitable<void> Courier::round() {
  follow_clock();
  take_shop();
  co_await obey();
  for (const auto& line : lines()) {
    if (stopping_) co_return;
    co_await read(line);
    line->allowance = max_of_a_round;
    start_due(line);
  }
  if (stopping_) co_return;
  save();
  publish();
}

std::vector<Courier::SharedLine> Courier::lines() const {
  std::vector<SharedLine> out;
  for (const auto& [name, line] : lines_) out.push_back(line);
  return out;
}

void Courier::take_shop() {
  auto shop = options_.shop();
  if (shop == shop_) return;
  shop_ = std::move(shop);
  std::map<std::string, SharedLine> lines;
  if (shop_)
    for (const auto& webhook : shop_->webhooks) lines.emplace(webhook.name, line_for(webhook));
  for (const auto& [name, line] : lines_)
    if (!lines.contains(name) && !line->account.owed.empty())
      spdlog::warn("the webhook {} is in the shop file no more, with {}", name,
                   waiting(line->account));
  lines_ = std::move(lines);
  kept_.clear();
  if (shop_) all_from_log_ = false;  // a webhook that comes later is new
  changed_ = true;
}

Courier::SharedLine Courier::line_for(const Webhook& webhook) {
  auto print = url_print(webhook.url);
  auto found = lines_.find(webhook.name);
  auto line = found == lines_.end() ? std::make_shared<Line>() : found->second;
  if (auto kept = kept_.find(webhook.name); kept != kept_.end()) {
    line->account = std::move(kept->second);
    line->begun = !line->account.url.empty();
    for (const auto& [mark, owed] : line->account.owed) line->due.emplace(owed.next_ms, mark);
  }
  line->begun = line->begun || all_from_log_;
  if (line->account.ended_ms != 0 && line->account.url != print) {
    spdlog::info("the webhook {} has another address, and begins again", webhook.name);
    line->account.ended_ms = 0;
    line->begun = false;
  }
  bool same = line->receiver && line->webhook->url == webhook.url &&
              line->webhook->private_network == webhook.private_network;
  if (!same) {
    line->receiver = std::make_shared<Receiver>(loop_.context(), webhook);
    line->rest_until_ms = 0;
    line->failures = 0;
  }
  line->webhook = std::make_shared<const Webhook>(webhook);
  line->account.url = print;
  line->counts.name = webhook.name;
  return line;
}

Awaitable<void> Courier::obey() {
  auto left = LeftAsks::open(options_.asks);
  if (!left) co_return;
  for (const auto& ask : left->asks()) {
    auto found = lines_.find(ask.webhook);
    if (found == lines_.end()) continue;
    auto line = found->second;
    if (ask.deed == Ask::Deed::skip)
      skip(*line, ask.id);
    else
      co_await retry(*line, ask.id);
  }
  if (stopping_) co_return;
  saved_ = {};
  changed_ = true;
  save();
  left->clear();
}

Awaitable<void> Courier::retry(Line& line, std::string id) {
  auto& account = line.account;
  line.rest_until_ms = 0;
  line.failures = 0;
  if (account.ended_ms != 0) {
    account.ended_ms = 0;
    line.begun = false;
    co_await begin_now(line);
  }
  auto mark = mark_of(id);
  if (!id.empty() && !mark) co_return;
  if (mark && !account.owed.contains(*mark)) {
    auto event = co_await events_.event(*mark);
    if (event && *event)
      owe(line, **event);
    else
      spdlog::warn("webhook {}: the log of events does not have {}", line.counts.name, id);
  }
  auto now_ms = options_.clock();
  for (auto& [each, owed] : account.owed) {
    // Those that are not due are in flight.
    if ((mark && each != *mark) || line.due.erase({owed.next_ms, each}) == 0) continue;
    owed.next_ms = now_ms;
    line.due.emplace(now_ms, each);
  }
  spdlog::info("webhook {}: {} is tried now", line.counts.name, id.empty() ? "all that waits" : id);
}

void Courier::skip(Line& line, const std::string& id) {
  auto mark = mark_of(id);
  auto found = mark ? line.account.owed.find(*mark) : line.account.owed.end();
  if (found == line.account.owed.end()) return;
  line.due.erase({found->second.next_ms, *mark});
  line.account.owed.erase(found);
  spdlog::info("webhook {}: {} is skipped", line.counts.name, id);
}

Awaitable<void> Courier::begin_now(Line& line) {
  auto newest = co_await events_.newest();
  if (!newest) co_return;
  line.account.mark = *newest;
  line.begun = changed_ = true;
  saved_ = {};  // a courier that is killed begins again from here
}

Awaitable<void> Courier::read(SharedLine line) {
  auto& account = line->account;
  if (account.ended_ms != 0) co_return;
  if (!line->begun) co_await begin_now(*line);
  if (!line->begun) co_return;
  auto webhook = line->webhook;
  for (int i = 0; i < max_batches && has_room(*line); ++i) {
    auto run = co_await events_.after(account.mark, batch);
    if (!run || stopping_) co_return;
    if (!*run) {
      spdlog::warn(
          "webhook {}: the log of events begins later than its mark, so events are missing",
          line->counts.name);
      run = co_await events_.after(std::nullopt, batch);
      if (!run || !*run || stopping_) co_return;
    }
    bool last = (*run)->events.size() < batch;
    auto events = co_await wanted(*webhook, std::move((*run)->events));
    if (stopping_ || account.ended_ms != 0) co_return;
    for (const auto& event : events) owe(*line, event);
    changed_ = changed_ || account.mark != (*run)->last;
    account.mark = (*run)->last;
    if (last) co_return;
    co_await next_turn();
    if (stopping_ || account.ended_ms != 0) co_return;
  }
}

// Of these what the webhook wants, as their comments stand now. They are judged again when they are
// sent. Which comments it does not ask of: it would be told if nothing of them could be.
Awaitable<std::vector<Event>> Courier::wanted(const Webhook& webhook, std::vector<Event> events) {
  std::erase_if(events, [&](const Event& event) { return !webhook.wants(event); });
  std::vector<Ulid> ids;
  for (const auto& event : events)
    if (!webhook.wants(event, nullptr)) ids.push_back(event.id.value_or(Ulid()));
  if (ids.empty()) co_return events;
  auto comments = co_await events_.comments(std::move(ids));
  if (!comments) co_return events;
  auto comment = comments->begin();
  std::erase_if(events, [&](const Event& event) {
    return !webhook.wants(event, nullptr) && !webhook.wants(event, told(event, *comment++));
  });
  co_return events;
}

bool Courier::has_room(const Line& line) const {
  if (line.account.owed.size() >= max_owed) return false;
  auto later = line.due.upper_bound({options_.clock(), UINT64_MAX});
  return static_cast<std::size_t>(std::distance(line.due.begin(), later)) < max_due;
}

void Courier::owe(Line& line, const Event& event) {
  auto now_ms = options_.clock();
  bool added =
      line.account.owed.emplace(event.mark, Owed{.event = event, .next_ms = now_ms}).second;
  if (added) line.due.emplace(now_ms, event.mark);
}

void Courier::save() {
  auto now = std::chrono::steady_clock::now();
  if (!changed_ || now - saved_ < save_every) return;
  saved_ = now;
  Ledger ledger;
  for (const auto& [name, line] : lines_)
    if (line->begun) ledger.emplace(name, line->account);
  auto saved = write_ledger(options_.ledger, ledger);
  changed_ = !saved;
  if (!saved) spdlog::error("webhooks: {}", saved.error().message);
}

void Courier::publish() {
  auto now_ms = options_.clock();
  std::vector<Deliveries> out;
  for (const auto& [name, line] : lines_) {
    auto counts = line->counts;
    if (!line->account.owed.empty()) {
      auto oldest_ms = line->account.owed.begin()->second.event.time_ms;
      counts.oldest_seconds = static_cast<double>(now_ms - std::min(now_ms, oldest_ms)) / 1000;
    }
    out.push_back(std::move(counts));
  }
  std::lock_guard lock(mutex_);
  deliveries_ = std::move(out);
}

}  // namespace quire::webhook
