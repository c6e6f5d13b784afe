#include "projection/follower.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "loop/loop.h"

namespace quire::projection {
namespace {

constexpr Milliseconds first_wait{100};
constexpr Milliseconds longest_wait{5000};

// An empty answer does not prove that there is nothing: the service may still be looking.
constexpr int enough_empty = 2;

}  // namespace

struct Follower::Course {
  std::string epoch, arn, shard;
  std::optional<Mark> mark;  // as the target has it
  std::string read_to;  // the last record read; it may be beyond the mark, if it is no comment's
  std::string iterator = {};
  int empty = 0;     // answers in a row
  int failures = 0;  // in a row

  Step step(Mark after, std::vector<Change> changes) const {
    return {epoch, shard, mark, std::move(after), std::move(changes), {}};
  }
};

Awaitable<Follower::End> Follower::follow(State state, std::string shard,
                                          std::function<bool()> mine) {
  Course course{state.epoch, state.stream, shard, {}, {}};
  if (auto at = state.marks.find(shard); at != state.marks.end()) course.mark = at->second;
  if (course.mark) course.read_to = course.mark->place;
  while (mine()) {
    auto end = co_await advance(course);
    if (end) co_return *end;
  }
  co_return End::left;
}

Awaitable<std::optional<Follower::End>> Follower::advance(Course& course) {
  if (course.iterator.empty()) {
    auto from = co_await source_.iterator(course.arn, course.shard, course.read_to);
    if (!from) {
      co_await falter(course, from.error());
      co_return std::nullopt;
    }
    if (from->gone) co_return End::gone;
    course.iterator = std::move(from->text);
  }
  auto asked_ms = clock_();
  auto read = co_await source_.read(course.iterator);
  if (!read) {
    co_await falter(course, read.error());
    co_return std::nullopt;
  }
  if (read->what == Read::What::gone) co_return End::gone;
  if (read->what == Read::What::expired) {
    course.iterator.clear();
    co_return std::nullopt;
  }
  co_return co_await take(course, std::move(*read), asked_ms);
}

Awaitable<std::optional<Follower::End>> Follower::take(Course& course, Read read,
                                                       std::uint64_t asked_ms) {
  course.empty = read.records == 0 ? course.empty + 1 : 0;
  if (!read.place.empty()) course.read_to = read.place;
  auto as_of = course.mark ? course.mark->as_of_ms : 0;
  bool ended = read.next.empty(), at_tip = course.empty >= enough_empty;
  Mark after{course.read_to, ended, std::max(as_of, at_tip ? asked_ms : read.made_ms)};
  // The target's own marks come back through the stream: alone they are no reason for another.
  bool due = at_tip && after.as_of_ms >= as_of + static_cast<std::uint64_t>(pace_.beat.count());
  if (ended || due || !read.changes.empty()) {
    auto changes = read.changes.size();
    Step step = course.step(after, std::move(read.changes));
    auto applied = co_await target_.apply(std::move(step));
    if (!applied) {
      co_await falter(course, applied.error());
      // What became of the step is not known. The target's state tells.
      co_return End::changed;
    }
    if (!*applied) co_return End::changed;
    course.mark = after;
    tally_.changes += changes;
    ++tally_.steps;
  }
  if (ended) co_return End::done;
  if (course.failures > 0) spdlog::info("shard {}: it goes on", course.shard);
  course.failures = 0;
  course.iterator = std::move(read.next);
  if (read.records == 0) co_await pause(pace_.poll);
  co_return std::nullopt;
}

Awaitable<void> Follower::falter(Course& course, const Error& error) {
  ++tally_.failures;
  if (course.failures++ == 0) spdlog::warn("shard {}: {}", course.shard, error.message);
  auto wait = first_wait * (1 << std::min(course.failures, 10));
  co_await pause(std::min(wait, longest_wait));
}

}  // namespace quire::projection
