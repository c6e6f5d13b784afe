#include "listing/lists/index_health.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "change/target.h"

namespace quire::lists {

using change::Phase;

IndexHealth::IndexHealth(NumbersSource source, Clock clock)
    : source_(std::move(source)), clock_(std::move(clock)) {}

Awaitable<IndexStatus> IndexHealth::status() {
  auto status = known();
  if (!status) {
    co_await ask();
    std::lock_guard lock(mutex_);
    status = known_;
  }
  auto now = clock_();
  if (status->as_of_ms > 0) status->behind_ms = now - std::min(now, status->as_of_ms);
  co_return std::move(*status);
}

// The answer is the caller's alone: another that was asked for later may be known already.
Awaitable<IndexStatus> IndexHealth::status_anew() {
  auto answer = co_await ask_index();
  co_return std::move(answer.status);
}

// An answer dated in the future, because the clock was set back, is not fresh.
bool IndexHealth::fresh() const {
  return answered_ms_ && clock_() - *answered_ms_ < static_cast<std::uint64_t>(kept.count());
}

// Present where nothing has to be asked: the answer is fresh, or another request is asking.
std::optional<IndexStatus> IndexHealth::known() const {
  std::lock_guard lock(mutex_);
  if (known_ && (fresh() || asked_.asking())) return known_;
  return {};
}

// Stops waiting after `answer_timeout`. The request to the index continues, and no second request
// is sent before it ends.
Awaitable<void> IndexHealth::ask() {
  auto deadline = std::chrono::steady_clock::now() + source_.answer_timeout;
  std::function<Awaitable<Done>()> asks = [this] { return take_answer(); };
  auto answered = co_await asked_.get_until(deadline, std::move(asks));
  if (answered) co_return;
  std::lock_guard lock(mutex_);
  learn(down(), fmt::format("it has not answered within {} ms", source_.answer_timeout.count()));
}

Awaitable<Done> IndexHealth::take_answer() {
  auto [status, why] = co_await ask_index();
  std::lock_guard lock(mutex_);
  failure_logged_ = false;
  answered_ms_ = clock_();
  learn(std::move(status), why);
  co_return Done{};
}

Awaitable<IndexHealth::Answer> IndexHealth::ask_index() {
  Result<change::State> state = Error{ErrorCode::unavailable, ""};
  std::string refused;
  try {
    state = co_await source_.index->state();
    bool follows = state && state->phase == Phase::following;
    if (follows && source_.refuses) refused = co_await source_.refuses(*state);
  } catch (const std::exception& failed) {  // whoever waits must learn of it
    state = Error{ErrorCode::unavailable, failed.what()};
  }
  std::lock_guard lock(mutex_);
  if (!state) co_return Answer{down(), state.error().message};
  auto status = judge(*state, std::move(refused));
  auto why = status.missing;
  co_return Answer{std::move(status), std::move(why)};
}

void IndexHealth::failed(std::string_view product, const Error& error) {
  std::lock_guard lock(mutex_);
  if (!std::exchange(failure_logged_, true))
    spdlog::warn("page numbers of {} are missing: {}", product, error.message);
}

IndexStatus IndexHealth::down() const {
  return {index_is_down, known_ ? known_->as_of_ms : 0, {}};
}

// What is missing of an index that follows the stream; empty: nothing.
std::string IndexHealth::behind(const change::State& state, std::uint64_t as_of_ms) const {
  auto limit = static_cast<std::uint64_t>(std::chrono::milliseconds(source_.max_behind).count());
  std::string_view worker =
      state.marks.contains(change::lambda_mark) ? "lambda is called" : "project runs";
  if (as_of_ms == 0) {
    return fmt::format(
        "The page index reads again what was written before it was built: see whether quire {}.",
        worker);
  }
  if (as_of_ms + limit >= clock_()) return {};
  return fmt::format("The page index is more than {} s behind the table: see whether quire {}.",
                     source_.max_behind.count(), worker);
}

// `refused`: why the store takes no numbers of it.
IndexStatus IndexHealth::judge(const change::State& state, std::string refused) const {
  IndexStatus status{{}, change::as_of_ms(state), {}};
  switch (state.phase) {
    case Phase::empty:
      status.missing = "The page index is empty: run quire backfill.";
      break;
    case Phase::building:
      status.missing = "The page index is being built.";
      break;
    case Phase::lost:
      status.missing =
          "The page index can no longer follow the table's stream: run quire backfill.";
      break;
    case Phase::following:
      status.missing = refused.empty() ? behind(state, status.as_of_ms) : std::move(refused);
  }
  return status;
}

// The log tells of each change, not of each request.
void IndexHealth::learn(IndexStatus status, const std::string& why) {
  bool was_missing = known_ && !known_->missing.empty();
  if (!was_missing && !status.missing.empty()) spdlog::warn("page numbers are missing: {}", why);
  if (was_missing && status.missing.empty()) spdlog::info("pages have numbers again");
  known_ = std::move(status);
}

}  // namespace quire::lists
