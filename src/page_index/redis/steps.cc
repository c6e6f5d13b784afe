#include "page_index/redis/steps.h"

#include "base/clock.h"
#include "loop/loop.h"
#include "page_index/redis/changes.h"
#include "page_index/redis/client/errors.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

struct Begun {
  std::string number, low;  // see the script begin_step
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
  if (size != 2 && size != 3) return unexpected_answer();
  for (const auto& each : reply.list) {
    if (!each.is(Reply::Kind::bytes)) return unexpected_answer();
  }
  Begun begun{reply.list[0].bytes, reply.list[1].bytes, std::move(own), size == 3};
  if (!begun.another) return begun;
  auto step = parse_step(reply.list[2].bytes);
  if (!step) return unknown_step();
  begun.step = std::move(*step);
  return begun;
}

using Counts = Buckets::Counts;

struct Changed {
  Counts counts;
  std::string low = {};  // of a bucket that takes no step of this number; empty: all took it
};

// Makes the parts at once.
Awaitable<Result<Changed>> change(Buckets& buckets, const Script& script,
                                  const std::vector<Part>& parts, std::vector<std::string> first) {
  std::vector<Awaitable<Result<Reply>>> works;
  for (const auto& part : parts) {
    auto call = call_of(script, buckets.keys().bucket(part.bucket), part, first);
    works.push_back(buckets.call(part.bucket, std::move(call)));
  }
  auto replies = co_await all(std::move(works));
  Changed changed;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& reply = replies[i];
    if (!reply) co_return reply.error();
    if (reply->list.size() == 1) {
      changed.low = reply->list[0].bytes;
      continue;
    }
    if (!reply->is(Reply::Kind::number) || reply->number < 0) co_return unexpected_answer();
    changed.counts.emplace_back(parts[i].bucket, static_cast<std::uint64_t>(reply->number));
  }
  co_return changed;
}

void append(std::vector<std::string>& words, const Counts& counts) {
  for (auto [bucket, count] : counts) {
    words.push_back(std::to_string(bucket));
    words.push_back(std::to_string(count));
  }
}

Awaitable<Result<bool>> finish(Buckets& buckets, std::string epoch, std::string shard,
                               Begun begun) {
  std::vector<std::string> first{shard, begun.number, begun.low};
  auto changed = co_await change(buckets, bucket_scripts().change, begun.step.parts, first);
  if (!changed) co_return changed.error();
  const auto& keys = buckets.keys();
  if (!changed->low.empty()) {
    // The step is made already; or a failover lost the last numbers, and clocks differ.
    Call renumber{state_scripts().renumber,
                  {keys.state(), keys.open()},
                  {shard, begun.number, changed->low},
                  Call::writes};
    auto renumbered = co_await buckets.decide(std::move(renumber));
    if (!renumbered) co_return renumbered.error();
    co_return false;
  }
  Call end{state_scripts().end_step,
           {keys.state(), keys.marks(), keys.open(), keys.steps(), keys.counts()},
           {epoch, shard, begun.number, begun.step.after},
           Call::writes};
  auto& words = end.arguments;
  words.push_back(std::to_string(begun.step.forget.size()));
  words.insert(words.end(), begun.step.forget.begin(), begun.step.forget.end());
  append(words, changed->counts);
  auto ended = co_await buckets.decide(std::move(end));
  if (ended && *ended) buckets.learn(changed->counts);
  co_return ended;
}

}  // namespace

Awaitable<Result<bool>> apply(Buckets& buckets, change::Step step) {
  OpenStep open{mark_text(step.after), step.forget, parts_of(step.changes)};
  const auto& keys = buckets.keys();
  Call begin{state_scripts().begin_step,
             {keys.state(), keys.marks(), keys.open(), keys.steps()},
             {step.epoch, step.shard, mark_place(step.before), std::to_string(system_ms()),
              open.after, open.parts.empty() ? "" : text_of(open)},
             Call::writes};
  begin.arguments.insert(begin.arguments.end(), step.forget.begin(), step.forget.end());
  auto reply = co_await buckets.call(std::move(begin));
  if (!reply) co_return reply.error();
  if (reply->is(Reply::Kind::number)) co_return reply->number == 1;
  auto begun = begun_of(*reply, std::move(open));
  if (!begun) co_return begun.error();
  bool another = begun->another;
  auto made = co_await finish(buckets, step.epoch, step.shard, std::move(*begun));
  if (made && another) co_return false;
  co_return made;
}

Awaitable<Status> put(Buckets& buckets, std::vector<change::Change> changes) {
  auto parts = parts_of(changes);
  std::vector<std::string> none;
  auto changed = co_await change(buckets, bucket_scripts().put, parts, std::move(none));
  if (!changed) co_return changed.error();
  auto known = co_await buckets.known();
  if (!known) co_return known.error();
  std::string life = (*known)->life;
  if (parts.empty() || life == "0") co_return Done{};
  Call note{state_scripts().note,
            {buckets.keys().state(), buckets.keys().counts()},
            {life},
            Call::writes};
  append(note.arguments, changed->counts);
  auto noted = co_await buckets.decide(std::move(note));
  if (!noted) co_return noted.error();
  if (*noted) buckets.learn(changed->counts);
  co_return Done{};
}

}  // namespace quire::redis
