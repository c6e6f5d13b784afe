#include "service/page_numbers.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "projection/shards.h"
#include "service/numbering.h"

namespace quire {

namespace asio = boost::asio;
using change::Phase;

// On the loop of the request that asks, which has one thread.
struct PageNumbers::Asking {
  asio::steady_timer waits;
  bool ended = false;
};

PageNumbers::PageNumbers(PageIndex& index, std::chrono::seconds most_behind, Clock clock)
    : index_(index), most_behind_(most_behind), clock_(std::move(clock)) {}

// One that is slow at this page's lists need not be so at others'.
void Numberer::fail(const Error& error) {
  missing = patient && patient->late() ? error.message : from->failed(error);
  ranks = nullptr;
  patient = nullptr;
  beside.reset();
}

Awaitable<Numberer> PageNumbers::numberer(std::vector<Section>& sections, bool by_number) {
  Numberer numberer;
  numberer.from = this;
  auto standing = co_await this->standing();
  numberer.missing = std::move(standing.missing);
  if (!numberer.missing.empty()) co_return numberer;
  numberer.beside = index_.ranks();
  if (!by_number) {
    auto until = PatientRanks::Time::clock::now() + patience;
    auto patient = std::make_unique<PatientRanks>(std::move(numberer.beside), until);
    numberer.patient = patient.get();
    numberer.beside = std::move(patient);
  }
  numberer.ranks = numberer.beside.get();
  auto measured = co_await measure(*numberer.ranks, sections);
  if (!measured) numberer.fail(measured.error());
  co_return numberer;
}

Awaitable<Standing> PageNumbers::standing() {
  auto standing = known();
  if (!standing) {
    co_await ask();
    std::lock_guard lock(mutex_);
    standing = known_;
  }
  auto now = clock_();
  if (standing->as_of_ms > 0) standing->behind_ms = now - std::min(now, standing->as_of_ms);
  co_return std::move(*standing);
}

Awaitable<Standing> PageNumbers::standing_anew() {
  {
    std::lock_guard lock(mutex_);
    answered_ms_.reset();
  }
  co_return co_await standing();
}

// What a clock that was set back makes the future is not.
bool PageNumbers::fresh() const {
  return answered_ms_ && clock_() - *answered_ms_ < static_cast<std::uint64_t>(kept.count());
}

// What need not be asked for: it is fresh, or somebody asks already.
std::optional<Standing> PageNumbers::known() {
  std::lock_guard lock(mutex_);
  if (known_ && (asking_ || fresh())) return known_;
  asking_ = true;
  return {};
}

// The question goes on when nobody waits for its answer any more: until then no other is put.
Awaitable<void> PageNumbers::ask() {
  auto executor = co_await asio::this_coro::executor;
  auto asking = std::make_shared<Asking>(Asking{asio::steady_timer(executor, patience)});
  asio::co_spawn(executor, take_answer(asking), asio::detached);
  boost::system::error_code cancelled;
  if (!asking->ended)
    co_await asking->waits.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  if (asking->ended) co_return;
  std::lock_guard lock(mutex_);
  learn(down(), fmt::format("it has not answered within {} ms", patience.count()));
}

Awaitable<void> PageNumbers::take_answer(std::shared_ptr<Asking> asking) {
  Result<change::State> state = Error{ErrorCode::unavailable, ""};
  try {
    state = co_await index_.state();
  } catch (const std::exception& failed) {  // nobody may wait for what will never come
    state = Error{ErrorCode::unavailable, failed.what()};
  }
  asking->ended = true;
  asking->waits.cancel();
  std::lock_guard lock(mutex_);
  asking_ = false;
  answered_ms_ = clock_();
  auto standing = state ? judge(*state) : down();
  learn(standing, state ? standing.missing : state.error().message);
}

std::string PageNumbers::failed(const Error& error) {
  std::lock_guard lock(mutex_);
  auto standing = down();
  learn(standing, error.message);
  answered_ms_.reset();
  return standing.missing;
}

// The index's own words, which may name machines, go to the log and not into answers.
Standing PageNumbers::down() const {
  return {"The page index cannot be asked now.", known_ ? known_->as_of_ms : 0, {}};
}

Standing PageNumbers::judge(const change::State& state) const {
  Standing standing{{}, change::as_of_ms(state), {}};
  auto limit = std::chrono::milliseconds(most_behind_).count();
  switch (state.phase) {
    case Phase::empty:
      standing.missing = "The page index is empty: run quire backfill.";
      break;
    case Phase::building:
      standing.missing = "The page index is being built.";
      break;
    case Phase::lost:
      standing.missing =
          "The page index has lost its place in the table's stream: run quire backfill.";
      break;
    case Phase::following:
      if (standing.as_of_ms + static_cast<std::uint64_t>(limit) < clock_())
        standing.missing = fmt::format(
            "The page index is more than {} s behind the table: see whether quire {}.",
            most_behind_.count(),
            state.marks.contains(projection::lambda_mark) ? "lambda is called" : "project runs");
  }
  return standing;
}

// Operators are told of a change, not of each request.
void PageNumbers::learn(Standing standing, const std::string& why) {
  bool was_missing = known_ && !known_->missing.empty();
  if (!was_missing && !standing.missing.empty()) spdlog::warn("page numbers are missing: {}", why);
  if (was_missing && standing.missing.empty()) spdlog::info("pages have numbers again");
  known_ = std::move(standing);
}

}  // namespace quire
