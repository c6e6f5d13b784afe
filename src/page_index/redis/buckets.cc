#include "page_index/redis/buckets.h"

#include <algorithm>

#include "page_index/redis/client/errors.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

using change::Phase;

bool is_other(const Reply& reply) {
  return reply.is(Reply::Kind::bytes) && reply.bytes == "other";
}

}  // namespace

Error being_reset() {
  return unavailable(
      "The page index is being rebuilt, or a rebuild was interrupted. Wait for quire backfill, or "
      "run it again.");
}

Awaitable<Result<Buckets::KnownState>> Buckets::read() {
  Call call{state_scripts().state, {keys_.state(), keys_.marks(), keys_.counts()}};
  auto reply = co_await this->call(std::move(call));
  if (!reply) co_return reply.error();
  auto known = known_of(*reply);
  if (!known) co_return known.error();
  known_ = std::make_shared<const Known>(std::move(*known));
  co_return known_;
}

Awaitable<Result<Buckets::KnownState>> Buckets::known() {
  if (known_) co_return known_;
  auto known = co_await read();
  co_return known;
}

void Buckets::learn(const Counts& counts) {
  if (!known_) return;
  Known known = *known_;
  for (auto [bucket, count] : counts) known.counts[bucket] = std::max(known.counts[bucket], count);
  known_ = std::make_shared<const Known>(std::move(known));
}

// The state may have changed since it was read. So a bucket is asked again, as the state is then.
Awaitable<Result<Reply>> Buckets::call(unsigned bucket, Call call) {
  call.keys.insert(call.keys.begin(), keys_.bucket(bucket).state());
  call.arguments.insert(call.arguments.begin(), 2, "");
  auto known = co_await this->known();
  for (bool again = false; known; again = true) {
    KnownState at = *known;
    if (at->resetting && again) co_return being_reset();
    call.arguments[0] = at->life;
    call.arguments[1] = std::to_string(at->counts[bucket]);
    auto reply = co_await this->call(call);
    if (!reply || !is_other(*reply)) co_return reply;
    if (again) {
      auto error = co_await lose(std::move(at));
      co_return error;
    }
    known = co_await read();
  }
  co_return known.error();
}

Awaitable<Error> Buckets::lose(KnownState known) {
  auto phase = known->state.phase;
  if (phase == Phase::following || phase == Phase::building)
    (void)co_await turn(known->state.epoch, phase, Phase::lost);
  co_return unavailable(
      "The page index lost changes: a server of Redis came back without its latest writes. Run "
      "quire backfill.");
}

Awaitable<Result<bool>> Buckets::turn(std::string epoch, Phase from, Phase to) {
  Call call{state_scripts().turn,
            {keys_.state()},
            {std::move(epoch), phase_text(from), phase_text(to)},
            Call::writes};
  auto turned = co_await decide(std::move(call));
  co_return turned;
}

Awaitable<Result<bool>> Buckets::decide(Call call) {
  auto reply = co_await this->call(std::move(call));
  if (!reply) co_return reply.error();
  if (!reply->is(Reply::Kind::number)) co_return unexpected_answer();
  co_return reply->number == 1;
}

Awaitable<Result<Reply>> Buckets::ask(std::string key, std::vector<std::string> words) {
  std::vector<std::string_view> views(words.begin(), words.end());
  auto reply = co_await cluster_.ask(std::move(key), request(views), write_timeout);
  co_return reply;
}

}  // namespace quire::redis
