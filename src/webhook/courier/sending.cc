// The half of the courier that sends: what is due, and what becomes of it.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "loop/counted.h"
#include "webhook/courier/courier.h"
#include "webhook/message.h"

namespace quire::webhook {
namespace {

constexpr std::uint64_t least_rest_ms = 1000;
constexpr std::uint64_t hour_ms = 60 * 60 * 1000;

double chance() {
  auto bytes = system_entropy();
  return (bytes[0] * 256.0 + bytes[1]) / 65536.0;
}

}  // namespace

void Courier::start_due(const SharedLine& line) {
  auto now_ms = options_.clock();
  auto allowed = line->failures < max_failures ? max_in_flight : 1;
  while (!stopping_ && line->account.ended_ms == 0 && line->in_flight < allowed &&
         line->allowance > 0 && now_ms >= line->rest_until_ms && !line->due.empty() &&
         line->due.begin()->first <= now_ms) {
    auto mark = line->due.begin()->second;
    line->due.erase(line->due.begin());
    auto event = line->account.owed.at(mark).event;
    ++line->in_flight;
    --line->allowance;
    boost::asio::co_spawn(loop_.context(), deliver(line, std::move(event)), boost::asio::detached);
  }
}

Awaitable<void> Courier::deliver(SharedLine line, Event event) {
  Answer answer{Outcome::failed};
  auto mark = event.mark;
  auto receiver = line->receiver;
  try {
    answer = co_await tell(line, receiver, std::move(event));
  } catch (const std::exception& failure) {
    answer.words = failure.what();
  }
  // What a former address wants is not asked of the present one.
  bool orders = answer.outcome == Outcome::gone || answer.outcome == Outcome::busy;
  if (orders && receiver != line->receiver) answer = {Outcome::failed, {}, answer.words};
  --line->in_flight;
  if (stopping_) co_return;
  settle(*line, mark, answer);
  start_due(line);
}

Awaitable<Answer> Courier::tell(SharedLine line, std::shared_ptr<Receiver> receiver, Event event) {
  auto webhook = line->webhook;
  auto body = co_await body_of(*webhook, event);
  if (!body) co_return Answer{Outcome::failed, {}, body.error().message};
  if (!*body || stopping_) co_return Answer{Outcome::unwanted};
  co_return co_await receiver->send(message_id(event), std::move(**body), webhook->secrets,
                                    options_.clock());
}

// Absent: the webhook does not want it.
Awaitable<Result<std::optional<std::string>>> Courier::body_of(const Webhook& webhook,
                                                               const Event& event) {
  Counted reading(reading_);
  std::vector<Ulid> ids{event.id.value_or(Ulid())};
  CO_TRY(auto found, co_await events_.comments(std::move(ids)));
  const auto* comment = told(event, found.front());
  if (!webhook.wants(event, comment)) co_return std::optional<std::string>();
  if (webhook.format == Format::standard) co_return std::optional(standard_body(event, comment));
  CO_TRY(auto name, co_await events_.product_name(event.product));
  co_return std::optional(slack_body(event, comment, {std::move(name), options_.moderation_url}));
}

void Courier::settle(Line& line, std::uint64_t mark, const Answer& answer) {
  auto found = line.account.owed.find(mark);
  if (found == line.account.owed.end()) return;  // it was skipped, or the webhook has ended
  changed_ = true;
  // One that was skipped and asked for again meanwhile waits beside the one that was in flight.
  line.due.erase({found->second.next_ms, mark});
  if (answer.outcome == Outcome::gone) return end_webhook(line);
  if (answer.outcome == Outcome::failed || answer.outcome == Outcome::busy)
    return settle_failure(line, found->second, answer);
  line.account.owed.erase(found);
  if (answer.outcome == Outcome::unwanted) return;
  ++line.counts.delivered;
  line.failures = 0;
  if (line.account.failing_ms == 0) return;
  if (line.told_ms != 0) spdlog::info("webhook {}: messages arrive again", line.counts.name);
  line.account.failing_ms = line.told_ms = 0;
  line.account.trouble.clear();
}

void Courier::settle_failure(Line& line, Owed& owed, const Answer& answer) {
  auto now_ms = options_.clock();
  auto mark = owed.event.mark;
  auto& account = line.account;
  ++line.counts.failed;
  ++line.failures;
  ++owed.tries;
  if (owed.first_ms == 0) owed.first_ms = now_ms;
  if (account.failing_ms == 0) account.failing_ms = now_ms;
  account.trouble = answer.words;
  auto rest = answer.rest;
  if (answer.outcome == Outcome::busy)
    line.rest_until_ms = now_ms + std::max(least_rest_ms, static_cast<std::uint64_t>(rest.count()));
  auto next = next_try(owed.first_ms, now_ms, owed.tries, chance(), rest);
  if (next) {
    owed.next_ms = *next;
    line.due.emplace(*next, mark);
  } else {
    ++line.counts.given_up;
    spdlog::error("webhook {}: {} was tried for three days, and is given up: {}", line.counts.name,
                  message_id(owed.event), answer.words);
    account.owed.erase(mark);
  }
  if (line.failures < max_failures || (line.told_ms != 0 && now_ms - line.told_ms < hour_ms))
    return;
  line.told_ms = now_ms;
  spdlog::warn("webhook {}: no message arrives since {}: {}; {}", line.counts.name,
               time_text(account.failing_ms), account.trouble, waiting(account));
}

// Saved before it is told: who reads of it in the log may rely on it.
void Courier::end_webhook(Line& line) {
  auto left = waiting(line.account);
  ++line.counts.ended;
  line.account.ended_ms = options_.clock();
  line.account.owed.clear();
  line.due.clear();
  saved_ = {};
  save();
  spdlog::error(
      "webhook {}: the receiver wants no more messages (410), with {}. quire webhook "
      "retry {} begins again.",
      line.counts.name, left, line.counts.name);
}

}  // namespace quire::webhook
