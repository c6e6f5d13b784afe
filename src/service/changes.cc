#include "service/changes.h"

#include <chrono>

#include "base/try.h"
#include "loop/counted.h"
#include "store/event_log.h"
#include "store/ports.h"

namespace quire {
namespace {

std::size_t text_of(const std::optional<Comment>& comment) {
  return comment ? comment->title.size() + comment->text.size() : 0;
}

}  // namespace

Awaitable<Status> Changes::keep(bool kept) const {
  auto* log = store_.event_log();
  if (log) co_return co_await log->keep_events(kept);
  if (kept) co_return no_events();
  co_return Done{};
}

Awaitable<Result<EventMark>> Changes::newest() const {
  CO_TRY_DONE(co_await keep(true));
  auto view = store_.view();
  co_return view->event_log()->newest_event().value_or(0);
}

Awaitable<Result<std::optional<FoundChanges>>> Changes::after(ChangesQuestion question) const {
  auto* log = store_.event_log();
  if (!log) co_return no_events();
  for (;;) {
    auto stroke = log->event_bell().next();
    CO_TRY(auto found, co_await look(question));
    bool late = std::chrono::steady_clock::now() >= question.until;
    if (!found || !found->told.empty() || late || stopped_) co_return std::move(found);
    question.after = found->last;
    if (!found->at_end) continue;
    Counted waits(waiting_);
    if (waits.now() > max_waiting)
      co_return Error{ErrorCode::unavailable, "Too many readers wait for changes. Try again."};
    co_await Bell::Stroke::wait(std::move(stroke), question.until);
  }
}

// What all views of one question see is of one state. A comment that cannot be read is told of as
// one that is gone, so that it keeps no reader from what follows. So is one that has moved to
// another product since: an event of that product follows.
Awaitable<Result<std::optional<FoundChanges>>> Changes::look(
    const ChangesQuestion& question) const {
  auto view = store_.view();
  FoundChanges out{{}, question.after.value_or(0)};
  auto after = question.after;
  std::size_t text = 0;
  for (std::size_t looked_at = 0; looked_at < max_looked_at;) {
    CO_TRY(auto run, co_await view->event_log()->events(after, question.limit));
    if (!run || run->damaged) co_return std::optional<FoundChanges>();
    looked_at += question.limit;
    for (auto& event : run->events) {
      if (!event.product.starts_with(question.products)) continue;
      out.last = event.mark;
      std::optional<Comment> comment;
      auto found = co_await view->find(event.id);
      if (!found && found.error().code == ErrorCode::unavailable) co_return found.error();
      if (found && found->product == event.product) comment = std::move(*found);
      text += text_of(comment);
      out.told.push_back({std::move(event), std::move(comment)});
      if (out.told.size() == question.limit || text > max_text)
        co_return std::optional(std::move(out));
    }
    out.last = run->last;
    out.at_end = run->events.size() < question.limit;
    if (out.at_end) break;
    after = run->last;
  }
  co_return std::optional(std::move(out));
}

void Changes::stop() {
  stopped_ = true;
  if (auto* log = store_.event_log()) log->event_bell().ring();
}

}  // namespace quire
