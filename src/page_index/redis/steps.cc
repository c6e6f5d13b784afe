#include "page_index/redis/buckets.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/try.h"
#include "loop/loop.h"
#include "page_index/redis/changes.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

struct Begun {
  std::string number, low, life;  // see the script begin_step
  BucketCounts counts;
  OpenStep step;
  bool another;
};

Error unknown_step() {
  return unavailable(
      "The page index in Redis has an open step that is not as Quire writes it. Run quire backfill "
      "--again, or give the page index a database of its own.");
}

// The reply of the script begin_step, when the step is open.
Result<Begun> begun_of(const Reply& reply, OpenStep own) {
  auto size = reply.list.size();
  if (size != 4 && size != 5) return unexpected_answer();
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 3 && !reply.list[i].is(Reply::Kind::bytes)) return unexpected_answer();
  }
  auto counts = counts_of(reply.list[3]);
  if (!counts) return unexpected_answer();
  const auto& words = reply.list;
  Begun begun{words[0].bytes,     words[1].bytes, words[2].bytes,
              std::move(*counts), std::move(own), size == 5};
  if (!begun.another) return begun;
  auto step = parse_step(words[4].bytes);
  if (!step) return unknown_step();
  begun.step = std::move(*step);
  return begun;
}

struct Changed {
  std::string life = {};
  BucketCounts counts = {};
  // The largest number of the buckets that take no step of this number; empty: all took it.
  std::string low = {};
};

// Of numbers without leading zeros.
bool is_less(const std::string& a, const std::string& b) {
  return std::pair(a.size(), a) < std::pair(b.size(), b);
}

// The reply of the script `change` or `put`, of one bucket.
Status take(Changed& changed, unsigned bucket, const Reply& reply) {
  using Kind = Reply::Kind;
  const auto& words = reply.list;
  if (words.empty() || words.size() > 2 || !words[0].is(Kind::bytes)) return unexpected_answer();
  if (words.size() == 1) {
    changed.low = std::max(changed.low, words[0].bytes, is_less);
    return Done{};
  }
  if (!words[1].is(Kind::number) || words[1].number < 0) return unexpected_answer();
  if (!changed.counts.empty() && changed.life != words[0].bytes) return being_reset();
  changed.life = words[0].bytes;
  changed.counts.emplace_back(bucket, static_cast<std::uint64_t>(words[1].number));
  return Done{};
}

// Makes the parts at once. The buckets must have what is noted of them.
Awaitable<Result<Changed>> change(Buckets& buckets, const Script& script,
                                  const std::vector<BucketChanges>& parts,
                                  std::vector<std::string> first, std::string life,
                                  const BucketCounts& noted) {
  std::array<std::uint64_t, bucket_count> least{};
  for (auto [bucket, count] : noted) least[bucket] = count;
  std::vector<Awaitable<Result<Reply>>> works;
  for (const auto& part : parts) {
    auto call = call_of(script, buckets.keys().bucket(part.bucket), part, first);
    Buckets::Floor floor{life, least[part.bucket]};
    works.push_back(buckets.call_bucket(part.bucket, std::move(call), std::move(floor)));
  }
  auto replies = co_await all(std::move(works));
  Changed changed;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!replies[i]) co_return replies[i].error();
    CO_TRY_DONE(take(changed, parts[i].bucket, *replies[i]));
  }
  co_return changed;
}

void append(std::vector<std::string>& words, const BucketCounts& counts) {
  for (auto [bucket, count] : counts) {
    words.push_back(std::to_string(bucket));
    words.push_back(std::to_string(count));
  }
}

Awaitable<Result<bool>> finish(Buckets& buckets, std::string epoch, std::string shard,
                               Begun begun) {
  std::vector<std::string> first{shard, begun.number, begun.low};
  CO_TRY(auto changed, co_await change(buckets, bucket_scripts().change, begun.step.parts, first,
                                       begun.life, begun.counts));
  const auto& keys = buckets.keys();
  if (!changed.low.empty()) {
    // The step is made already; or a failover lost the last numbers, and clocks differ.
    Call renumber{state_scripts().renumber,
                  {keys.state(), keys.open()},
                  {shard, begun.number, changed.low},
                  Call::writes};
    CO_TRY_DONE(co_await buckets.decide(std::move(renumber)));
    co_return false;
  }
  Call end{state_scripts().end_step,
           {keys.state(), keys.marks(), keys.open(), keys.steps(), keys.counts()},
           {epoch, shard, begun.number, begun.step.after},
           Call::writes};
  auto& words = end.arguments;
  words.push_back(std::to_string(begun.step.forget.size()));
  words.insert(words.end(), begun.step.forget.begin(), begun.step.forget.end());
  append(words, changed.counts);
  auto ended = co_await buckets.decide(std::move(end));
  if (ended && *ended) buckets.learn(begun.life, changed.counts);
  co_return ended;
}

}  // namespace

Awaitable<Result<bool>> apply(Buckets& buckets, change::Step step) {
  OpenStep open{mark_text(step.after), step.forget, parts_of(step.changes)};
  const auto& keys = buckets.keys();
  Call begin{state_scripts().begin_step,
             {keys.state(), keys.marks(), keys.open(), keys.steps(), keys.counts()},
             {step.epoch, step.shard, mark_place(step.before), std::to_string(system_ms()),
              open.after, open.parts.empty() ? "" : text_of(open)},
             Call::writes};
  begin.arguments.insert(begin.arguments.end(), step.forget.begin(), step.forget.end());
  CO_TRY(auto reply, co_await buckets.send(std::move(begin)));
  if (reply.is(Reply::Kind::number)) co_return reply.number == 1;
  CO_TRY(auto begun, begun_of(reply, std::move(open)));
  bool another = begun.another;
  auto made = co_await finish(buckets, step.epoch, step.shard, std::move(begun));
  if (made && another) co_return false;
  co_return made;
}

Awaitable<Status> put(Buckets& buckets, std::vector<change::Change> changes) {
  auto parts = parts_of(changes);
  if (parts.empty()) co_return Done{};
  CO_TRY(auto known, co_await buckets.read());
  BucketCounts noted;
  for (const auto& part : parts) noted.emplace_back(part.bucket, known->counts[part.bucket]);
  std::vector<std::string> none;
  CO_TRY(auto changed, co_await change(buckets, bucket_scripts().put, parts, std::move(none),
                                       known->life, noted));
  if (changed.life == "0") co_return Done{};
  Call note{state_scripts().note,
            {buckets.keys().state(), buckets.keys().counts()},
            {changed.life},
            Call::writes};
  append(note.arguments, changed.counts);
  CO_TRY(auto noting, co_await buckets.decide(std::move(note)));
  if (noting) buckets.learn(changed.life, changed.counts);
  co_return Done{};
}

}  // namespace quire::redis
