#include "app/webhook_events.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "loop/loop.h"
#include "store/event_log.h"

namespace quire {
namespace {

constexpr std::size_t batch = 1000;  // events of one read

webhook::Event told(Event event) {
  webhook::Event out{.mark = event.mark,
                     .time_ms = event.time_ms,
                     .type = std::string(event_name(event.type)),
                     .product = std::move(event.product),
                     .is_new = event.fresh,
                     .imported = event.imported};
  if (event.id != Ulid()) out.id = event.id;
  return out;
}

}  // namespace

Bell& WebhookEvents::bell() {
  return log_.event_log()->event_bell();
}

Awaitable<Result<std::uint64_t>> WebhookEvents::newest() {
  co_return co_await changes_.newest();
}

Awaitable<Result<std::optional<webhook::Run>>> WebhookEvents::after(
    std::optional<std::uint64_t> mark, std::size_t limit) {
  auto view = log_.view();
  auto* log = view->event_log();
  if (!log) co_return no_events();
  CO_TRY(auto found, co_await log->events(mark, limit));
  if (!found) co_return std::optional<webhook::Run>();
  webhook::Run run{{}, found->last};
  for (auto& event : found->events) run.events.push_back(told(std::move(event)));
  co_return std::optional(std::move(run));
}

Awaitable<Result<std::optional<webhook::Event>>> WebhookEvents::event(std::uint64_t mark) {
  std::optional<std::uint64_t> from;
  for (;;) {
    CO_TRY(auto run, co_await after(from, batch));
    if (!run || run->events.empty()) co_return std::optional<webhook::Event>();
    auto found = std::find_if(run->events.begin(), run->events.end(),
                              [mark](const auto& each) { return each.mark == mark; });
    if (found != run->events.end()) co_return std::optional(std::move(*found));
    from = run->last;
    co_await next_turn();
  }
}

// A comment that cannot be read is told of as one that is gone, so that it keeps no message back. A
// table is asked for some at once: it answers each after a while.
Awaitable<Result<std::vector<std::optional<Comment>>>> WebhookEvents::comments(
    std::vector<Ulid> ids) {
  auto& store = comments_.store();
  const std::size_t at_once = &store == &log_ ? 1 : 16;
  auto view = store.view();
  std::vector<std::optional<Comment>> out;
  while (out.size() < ids.size()) {
    if (stopping_) co_return Error{ErrorCode::unavailable, "The server stops."};
    std::vector<Awaitable<Result<Comment>>> works;
    auto end = std::min(ids.size(), out.size() + at_once);
    for (auto i = out.size(); i < end; ++i) works.push_back(view->find(ids[i]));
    auto found = co_await all(std::move(works));
    for (auto& each : found) {
      if (!each && each.error().code == ErrorCode::unavailable) co_return each.error();
      out.push_back(each ? std::optional(std::move(*each)) : std::nullopt);
    }
    if (turn_is_over()) co_await next_turn();
  }
  co_return std::move(out);
}

Awaitable<Result<std::string>> WebhookEvents::product_name(std::string product) {
  CO_TRY(auto facts, co_await comments_.facts_of(std::move(product)));
  co_return facts ? std::move(facts->name) : std::string();
}

}  // namespace quire
