#include "page_index/redis/buckets.h"

#include <algorithm>

#include "base/try.h"
#include "loop/loop.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using change::Phase;
using Clock = std::chrono::steady_clock;

constexpr int max_asked = 12;  // times of one bucket, for one caller
constexpr Milliseconds poll_delay{1};

Error gone() {
  return unavailable(
      "The page index is empty: Redis came back without its data, or the data was removed. Run "
      "quire backfill.");
}

bool is_other(const Reply& reply) {
  return reply.is(Reply::Kind::bytes) && reply.bytes == "other";
}

}  // namespace

Error being_reset() {
  return unavailable(
      "The page index is being rebuilt, or a rebuild was interrupted. Wait for quire backfill, or "
      "run it again.");
}

Awaitable<Result<Buckets::SharedState>> Buckets::read() {
  Call call{state_scripts().state, {keys_.state(), keys_.marks(), keys_.counts()}};
  auto now = Clock::now();
  CO_TRY(auto reply, co_await send(std::move(call)));
  CO_TRY(auto known, known_of(reply));
  known.asked_at = now;
  lived_ |= known.life != "0";
  known_ = std::make_shared<const KnownState>(std::move(known));
  co_return known_;
}

Awaitable<Result<Buckets::SharedState>> Buckets::known(Deadline since) {
  if (known_ && known_->asked_at >= since) co_return known_;
  if (auto asked = asked_; asked && asked->at >= since) {
    while (!asked->answer) co_await pause(poll_delay);
    co_return *asked->answer;
  }
  auto asked = asked_ = std::make_shared<StateQuestion>(StateQuestion{Clock::now()});
  struct End {  // also where the caller is cancelled
    StateQuestion& asked;
    ~End() {
      if (!asked.answer) asked.answer = broken("it takes too long");
    }
  } end{*asked};
  auto known = co_await read();
  asked->answer = known;
  if (asked_ == asked) asked_.reset();
  co_return known;
}

void Buckets::learn(const std::string& life, const BucketCounts& counts) {
  if (!known_ || known_->life != life) return;
  KnownState known = *known_;
  for (auto [bucket, count] : counts) known.counts[bucket] = std::max(known.counts[bucket], count);
  known_ = std::make_shared<const KnownState>(std::move(known));
}

// The state may have changed since it was read. So a bucket is asked again, as the state is then;
// and once more a little later, since a node that stood still answers before it learns of another.
Awaitable<Result<Reply>> Buckets::call_bucket(unsigned bucket, Call call, Floor floor) {
  const auto key = keys_.bucket(bucket).state();
  call.keys.insert(call.keys.begin(), key);
  call.arguments.insert(call.arguments.begin(), 2, "");
  Deadline since;
  for (int asked = 0, other = 0; asked < max_asked; ++asked) {
    CO_TRY(auto known, co_await this->known(since));
    const SharedState at = known;
    if (at->resetting) co_return being_reset();
    if (at->life == "0" && lived_) co_return gone();
    auto count = std::max(at->counts[bucket], at->life == floor.life ? floor.count : 0);
    call.arguments[0] = at->life;
    call.arguments[1] = std::to_string(count);
    auto now = Clock::now();
    auto reply = co_await send(call);
    if (!reply) co_return reply;
    if (is_other(*reply)) {
      if (++other == 3 || (other == 2 && at->state.phase == Phase::lost)) {
        auto error = co_await lose(at);
        co_return error;
      }
      since = now;
      if (other == 1) continue;
      cluster_.doubt_map();
      co_await pause(before_lost);
      since = Clock::now();
      continue;
    }
    since = cluster_.connected_at(key);
    if (call.effect == Call::writes || at->asked_at >= since) co_return reply;
  }
  co_return broken("its connections break again and again");
}

// `known`: as it was when the bucket differed.
Awaitable<Error> Buckets::lose(SharedState known) {
  CO_TRY(auto now, co_await read());
  const bool empty = now->life == "0" && !now->resetting;
  if (now->life != known->life) co_return empty ? gone() : being_reset();
  auto phase = known->state.phase;
  if (phase == Phase::following || phase == Phase::building)
    (void)co_await change_phase(known->state.epoch, phase, Phase::lost);
  co_return unavailable(
      "The page index lost changes: a server of Redis came back without its latest writes. Run "
      "quire backfill.");
}

Awaitable<Result<bool>> Buckets::change_phase(std::string epoch, Phase from, Phase to) {
  Call call{state_scripts().change_phase,
            {keys_.state()},
            {std::move(epoch), std::string(phase_name(from)), std::string(phase_name(to))},
            Call::writes};
  auto turned = co_await decide(std::move(call));
  co_return turned;
}

Awaitable<Result<bool>> Buckets::decide(Call call) {
  CO_TRY(auto reply, co_await send(std::move(call)));
  if (!reply.is(Reply::Kind::number)) co_return unexpected_answer();
  co_return reply.number == 1;
}

}  // namespace quire::redis
