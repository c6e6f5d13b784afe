// The way of a change: Worker::round() finds the shards of this worker, Follower::follow() reads
// the records of one shard and gives their changes to Target::apply(), which moves the mark with
// them.
#include "projection/worker.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/try.h"
#include "loop/loop.h"

namespace quire::projection {
namespace {

namespace asio = boost::asio;

constexpr auto kept_by_lambda =
    "quire lambda keeps it. To go back to quire project, run quire backfill --again.";

constexpr std::chrono::minutes between_begins{1};

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

std::string what_to_do(Phase phase, const std::string& remedy) {
  switch (phase) {
    case Phase::empty:
      return "Nothing was built yet, or it was lost. " + remedy;
    case Phase::building:
      return "It is being built. If no quire backfill runs, run it again: it continues.";
    case Phase::lost:
      return "The stream no longer has the records that come next. " + remedy;
    case Phase::following:
      break;
  }
  return {};
}

}  // namespace

Worker::Worker(Source& source, Target& target, Options options)
    : source_(source),
      target_(target),
      options_(std::move(options)),
      follower_(source_, target_, options_.pace, options_.clock, counters_),
      leases_(options_.owner, options_.pace.takeover_after) {}

Awaitable<void> Worker::run() {
  while (!stopping_) {
    hurry_ = false;
    co_await round();
    auto until = std::chrono::steady_clock::now() + options_.pace.beat;
    while (!stopping_ && !hurry_ && std::chrono::steady_clock::now() < until)
      co_await pause(options_.pace.wait_step);
  }
  while (!following_.empty()) co_await pause(options_.pace.wait_step);
  co_await put(leases_.release_all());
}

Awaitable<bool> Worker::begin() {
  auto now = std::chrono::steady_clock::now();
  if (!options_.begin || (begun_ && now < *begun_ + between_begins)) co_return false;
  begun_ = now;
  bool done = co_await options_.begin();
  if (!done && options_.begins_again) begun_.reset();  // it fails where the stream cannot be read
  co_return done;
}

Awaitable<void> Worker::round() {
  auto state = co_await target_.state();
  bool begins = state && (state->phase == Phase::empty ||
                          (state->phase == Phase::lost && options_.begins_again));
  if (begins && co_await begin()) state = co_await target_.state();
  if (!state) co_return set_status(state, nullptr, state.error().message);
  // Followers of another epoch end by themselves.
  epoch_ = state->phase == Phase::following ? state->epoch : "";
  if (state->phase != Phase::following)
    co_return set_status(state, nullptr, what_to_do(state->phase, options_.remedy));
  if (state->marks.contains(lambda_mark)) co_return set_status(state, nullptr, kept_by_lambda);
  auto stream = co_await source_.stream();
  if (!stream) co_return set_status(state, nullptr, stream.error().message);
  auto broken = broken_off(*state, *stream, options_.clock());
  if (!broken.empty()) {
    co_await mark_lost(state->epoch, broken);
    epoch_.clear();
    co_return set_status(state, nullptr, broken + " " + options_.remedy);
  }
  auto shared = co_await share(*state, *stream);
  if (!shared) co_return set_status(state, &*stream, shared.error().message);
  co_await forget(*state, *stream);
  set_status(state, &*stream, {});
}

// The epoch tells targets apart, the address does not. Workers with different addresses of the same
// target share its shards; two targets with the same address, on two machines, do not.
void Worker::name_leases(const std::string& epoch) {
  auto name = options_.projection + "-" + epoch;
  if (name == leased_) return;
  leased_ = std::move(name);
  leases_ = LeaseBook(options_.owner, options_.pace.takeover_after);
}

// Renews leases, takes and gives back some; then begins to follow the shards that are new.
Awaitable<Status> Worker::share(const State& state, const Stream& stream) {
  auto shards = readable(state, stream);
  name_leases(state.epoch);
  CO_TRY(auto leases, co_await source_.leases(leased_));
  co_await put(leases_.plan_changes(leases, shards, std::chrono::steady_clock::now()));
  auto executor = co_await asio::this_coro::executor;
  for (const auto& shard : shards) {
    if (!leases_.held().contains(shard) || !following_.insert(shard).second) continue;
    asio::co_spawn(executor, follow_shard(state, shard), [this, shard](std::exception_ptr failure) {
      if (failure) spdlog::error("shard {}: its follower broke off: {}", shard, text_of(failure));
      following_.erase(shard);
      hurry_ |= !failure;  // a follower that broke off is not begun again at once
    });
  }
  co_return Done{};
}

Awaitable<void> Worker::put(std::vector<LeaseBook::LeaseChange> changes) {
  for (const auto& change : changes) {
    auto put = co_await source_.put_lease(leased_, change.shard, change.before, change.after);
    if (put && *put)
      leases_.granted(change);
    else
      leases_.refused(change);
    // A worker that stops does not wait for a failing table: others take the leases over in time.
    if (!put && stopping_) co_return;
  }
}

Awaitable<void> Worker::follow_shard(State state, std::string shard) {
  auto mine = [this, shard, epoch = state.epoch] {
    return !stopping_ && epoch_ == epoch && leases_.held().contains(shard);
  };
  std::string epoch = state.epoch;
  auto end = co_await follower_.follow(std::move(state), shard, mine);
  if (end == Follower::End::gone)
    co_await mark_lost(epoch,
                       "The stream no longer has records that come next (shard " + shard + ").");
}

Awaitable<void> Worker::forget(const State& state, const Stream& stream) {
  auto old = forgettable(state, stream);
  for (const auto& [shard, mark] : state.marks) {
    if (old.empty() || mark.ended || !leases_.held().contains(shard)) continue;
    Step step{state.epoch, shard, mark, mark, {}, std::move(old)};
    (void)co_await target_.apply(std::move(step));  // fails if the mark has moved: another time
    co_return;
  }
}

Awaitable<void> Worker::mark_lost(std::string epoch, std::string why) {
  spdlog::error("{} {}", why, options_.remedy);
  (void)co_await target_.change_phase(std::move(epoch), Phase::following, Phase::lost);
}

WorkerStatus Worker::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

// Without the stream, how far the target is stays as it was known.
void Worker::set_status(const Result<State>& state, const Stream* stream, std::string trouble) {
  std::lock_guard lock(mutex_);
  if (trouble != status_.trouble && !trouble.empty()) spdlog::warn("{}", trouble);
  if (state) {
    status_.phase = state->phase;
    status_.shards = following_.size();
    if (state->phase != Phase::following) status_.as_of_ms = 0;
    if (stream) status_.as_of_ms = as_of_ms(*state, *stream);
  }
  status_.trouble = std::move(trouble);
}

// A lease whose beat has not changed for `takeover_after_` belongs to a dead worker.
bool LeaseBook::alive(const std::string& shard, const Lease& lease, Time now) {
  if (lease.owner.empty()) return false;
  auto [at, fresh] = seen_.try_emplace(shard, Seen{lease, now});
  if (!fresh && at->second.lease != lease) at->second = {lease, now};
  return now - at->second.since < takeover_after_;
}

// A living worker's part of the shards, rounded up.
std::size_t LeaseBook::share(const Leases& leases, std::size_t shards, Time now) {
  std::set<std::string> workers{owner_};
  for (const auto& [shard, lease] : leases) {
    if (alive(shard, lease, now)) workers.insert(lease.owner);
  }
  return (shards + workers.size() - 1) / workers.size();
}

std::vector<LeaseBook::LeaseChange> LeaseBook::plan_changes(
    const Leases& leases, const std::vector<std::string>& readable, Time now) {
  std::vector<LeaseChange> changes;
  auto find = [&](const std::string& shard) -> std::optional<Lease> {
    auto at = leases.find(shard);
    return at == leases.end() ? std::nullopt : std::optional(at->second);
  };
  auto take = [&](const std::string& shard, const std::optional<Lease>& before) {
    changes.push_back({shard, before, Lease{owner_, before ? before->beat + 1 : 1}});
  };
  std::size_t max = share(leases, readable.size(), now), mine = 0;
  std::map<std::string, std::vector<std::string>> others;
  std::vector<std::string> free;
  for (const auto& shard : readable) {
    auto lease = find(shard);
    if (lease && lease->owner == owner_) {
      take(shard, lease);
      ++mine;
    } else if (lease && alive(shard, *lease, now)) {
      others[lease->owner].push_back(shard);
    } else {
      free.push_back(shard);
    }
  }
  for (const auto& shard : free) {
    if (mine >= max) break;
    take(shard, find(shard));
    ++mine;
  }
  auto richest = std::max_element(others.begin(), others.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  // A worker without leases is not known to the others, so by shares alone it could stay without.
  // It takes one lease at a time, because others may be taking some just now.
  if (richest != others.end() && richest->second.size() > mine + 1)
    take(richest->second.front(), find(richest->second.front()));
  for (const auto& [shard, lease] : leases) {
    if (std::count(readable.begin(), readable.end(), shard) == 0)
      changes.push_back({shard, lease, std::nullopt});
  }
  std::erase_if(held_, [&](const std::string& shard) {
    auto lease = find(shard);
    return !lease || lease->owner != owner_;
  });
  std::erase_if(own_, [&](const auto& each) { return !held_.contains(each.first); });
  std::erase_if(seen_, [&](const auto& each) { return !leases.contains(each.first); });
  return changes;
}

void LeaseBook::granted(const LeaseChange& change) {
  if (!change.after) return refused(change);
  held_.insert(change.shard);
  own_[change.shard] = *change.after;
}

void LeaseBook::refused(const LeaseChange& change) {
  held_.erase(change.shard);
  own_.erase(change.shard);
}

std::vector<LeaseBook::LeaseChange> LeaseBook::release_all() const {
  std::vector<LeaseChange> changes;
  for (const auto& [shard, lease] : own_) changes.push_back({shard, lease, std::nullopt});
  return changes;
}

}  // namespace quire::projection
