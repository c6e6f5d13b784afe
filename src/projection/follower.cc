#include "projection/follower.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/ensure.h"
#include "loop/loop.h"

namespace quire::projection {

namespace {

// The service may drop a record that is older.
constexpr std::uint64_t kept_ms = 24 * 3'600'000;

const Mark* find(const State& state, const std::string& shard) {
  auto at = state.marks.find(shard);
  return at == state.marks.end() ? nullptr : &at->second;
}

const Shard* find(const Stream& stream, const std::string& shard) {
  auto at = std::find_if(stream.shards.begin(), stream.shards.end(),
                         [&](const Shard& each) { return each.id == shard; });
  return at == stream.shards.end() ? nullptr : &*at;
}

// The time after which the first record of a shard was written; 0: not known. A shard that is read
// from its beginning does not tell whether that is still there.
std::uint64_t begins_ms(const State& state, const Shard& shard) {
  const Mark *own = find(state, shard.id), *parent = find(state, shard.parent);
  if (own && (own->ended || !own->read_to.empty())) return 0;
  if (own) return own->as_of_ms > 0 ? own->as_of_ms : begun_ms(state.epoch);
  return parent && parent->ended ? parent->as_of_ms : 0;
}

constexpr Milliseconds max_wait{5000};

// So many empty answers in a row mean that nothing is left to read. A single one does not: the
// service may still be looking, most of all with a new iterator.
constexpr int enough_empty_first = 5;
constexpr int enough_empty = 2;

// Whether the shard has this mark; its time does not count.
bool is_there(const State& state, const std::string& shard, const std::optional<Mark>& mark) {
  auto at = state.marks.find(shard);
  if (at == state.marks.end()) return !mark;
  return mark && mark->read_to == at->second.read_to && mark->ended == at->second.ended;
}

}  // namespace

std::uint64_t begun_ms(const std::string& epoch) {
  auto id = Ulid::parse(epoch);
  return id ? id->ms() : 0;
}

std::map<std::string, Mark> first_marks(const Stream& stream, std::uint64_t now_ms) {
  std::map<std::string, Mark> marks;
  for (const auto& shard : stream.shards) marks[shard.id] = {{}, !shard.open, now_ms};
  return marks;
}

std::vector<std::string> readable(const State& state, const Stream& stream) {
  std::vector<std::string> out;
  for (const auto& shard : stream.shards) {
    const Mark *own = find(state, shard.id), *parent = find(state, shard.parent);
    bool begun = own && !own->read_to.empty();  // a mark alone says that its parent is about to end
    bool waits = !begun && find(stream, shard.parent) && !(parent && parent->ended);
    if (!waits && !(own && own->ended)) out.push_back(shard.id);
  }
  return out;
}

std::string broken_off(const State& state, const Stream& stream, std::uint64_t now_ms) {
  if (state.stream != stream.arn)
    return "The table has another stream than before. Changes between the two streams are lost.";
  if (state.marks.contains(lambda_mark)) return {};  // Lambda alone knows what comes next
  constexpr auto trimmed = "The stream no longer has records that were not applied yet (shard {}).";
  for (const auto& [id, mark] : state.marks) {
    if (!mark.ended && !is_segment(id) && !find(stream, id)) return fmt::format(trimmed, id);
  }
  for (const auto& shard : stream.shards) {
    bool known = find(state, shard.id) || shard.parent.empty() || find(state, shard.parent) ||
                 find(stream, shard.parent);
    if (!known) return fmt::format(trimmed, shard.parent);
    auto begins = begins_ms(state, shard);
    if (begins > 0 && begins + kept_ms < now_ms) return fmt::format(trimmed, shard.id);
  }
  return {};
}

std::uint64_t as_of_ms(const State& state, const Stream& stream) {
  auto as_of = as_of_ms(state);
  for (const auto& shard : stream.shards) {
    const Mark* parent = find(state, shard.parent);
    // A shard whose parent is not known either is no older than the parent.
    if (find(state, shard.id) || (!parent && find(stream, shard.parent))) continue;
    as_of = std::min(as_of, parent ? parent->as_of_ms : 0);
  }
  return as_of;
}

std::vector<std::string> forgettable(const State& state, const Stream& stream) {
  std::vector<std::string> out;
  for (const auto& [id, mark] : state.marks) {
    bool parent = std::any_of(stream.shards.begin(), stream.shards.end(),
                              [&](const Shard& shard) { return shard.parent == id; });
    if (mark.ended && !parent && !find(stream, id)) out.push_back(id);
  }
  return out;
}

bool not_after(const std::string& sequence, const std::string& other) {
  auto padded = [](const std::string& digits) { return fmt::format("{:0>40}", digits); };
  return padded(sequence) <= padded(other);
}

std::string segment_name(std::size_t segment, std::size_t segments) {
  return fmt::format("scan/{:03}/{:03}", segment, segments);
}

bool is_segment(const std::string& shard) {
  return shard.starts_with("scan/");
}

struct Follower::Course {
  std::string epoch, arn, shard;
  std::function<bool()> mine;
  std::optional<Mark> mark = {};  // the target's
  std::string read_to = {};       // the last record read; may be beyond the mark
  std::string iterator = {};
  std::uint64_t previous_read_ms = 0;  // when the read before this one was asked for
  int empty = 0;                       // answers in a row
  bool was_at_tip = false;             // with this iterator, or one that it led to
  int failures = 0;                    // in a row
  bool unclear = false;                // it is not known whether the last step was made
  // Where the shard is read from its beginning: all that was written before then was applied,
  // mostly by a scan.
  std::uint64_t complete_before_ms = 0;
  std::uint64_t replayed_before_ms =
      0;  // what was written before then comes again, though it was applied

  Step step(Mark after, std::vector<Change> changes) const {
    return {epoch, shard, mark, std::move(after), std::move(changes), {}};
  }

  void begin_at_mark() {
    iterator.clear();
    read_to = mark ? mark->read_to : "";
    empty = 0;
    complete_before_ms = mark && read_to.empty() ? mark->as_of_ms : 0;
    // A worker that stopped in between has left a mark without a time.
    replayed_before_ms = mark && mark->as_of_ms == 0 ? begun_ms(epoch) : complete_before_ms;
  }
};

Awaitable<Follower::End> Follower::follow(State state, std::string shard,
                                          std::function<bool()> mine) {
  Course course{state.epoch, state.stream, shard, std::move(mine)};
  if (auto at = state.marks.find(shard); at != state.marks.end()) course.mark = at->second;
  course.begin_at_mark();
  while (course.mine()) {
    auto end = co_await advance(course);
    if (end) co_return *end;
  }
  co_return End::left;
}

Awaitable<std::optional<Follower::End>> Follower::advance(Course& course) {
  if (course.unclear) co_return co_await reread_state(course, std::nullopt);
  if (course.iterator.empty()) co_return co_await begin(course);
  auto asked_ms = clock_();
  auto read = co_await source_.read(course.iterator);
  if (!read) {
    co_await wait_to_retry(course, read.error());
    co_return std::nullopt;
  }
  if (read->kind == Read::Kind::gone) co_return co_await reread_state(course, End::gone);
  if (read->kind == Read::Kind::expired) {
    course.iterator.clear();
    co_return std::nullopt;
  }
  co_return co_await take(course, std::move(*read), asked_ms);
}

Awaitable<std::optional<Follower::End>> Follower::begin(Course& course) {
  auto from = co_await source_.iterator(course.arn, course.shard, course.read_to);
  if (!from) {
    co_await wait_to_retry(course, from.error());
    co_return std::nullopt;
  }
  if (from->gone) co_return co_await reread_state(course, End::gone);
  course.iterator = std::move(from->text);
  course.was_at_tip = false;
  course.empty = 0;
  co_return std::nullopt;
}

// Reads the target's state. If the mark is as it was known, ends with `in_place`; without that,
// goes on from the mark.
Awaitable<std::optional<Follower::End>> Follower::reread_state(Course& course,
                                                               std::optional<End> in_place) {
  auto state = co_await target_.state();
  if (!state) {
    co_await wait_to_retry(course, state.error());
    co_return std::nullopt;
  }
  if (state->epoch != course.epoch || !is_there(*state, course.shard, course.mark))
    co_return End::changed;
  course.unclear = false;
  course.begin_at_mark();
  co_return in_place;
}

// The time of the mark behind the records. Those that a scan has seen come again, and put comments
// back to what they were, until the shard is read beyond the scan. Meanwhile no time is known.
std::uint64_t Follower::as_of(const Course& course, const Read& read, bool at_tip) const {
  auto known = course.mark ? course.mark->as_of_ms : 0;
  if (at_tip) {
    auto delay = static_cast<std::uint64_t>(pace_.max_record_delay.count());
    return std::max({known, course.complete_before_ms,
                     course.previous_read_ms - std::min(course.previous_read_ms, delay)});
  }
  bool ended = read.next.empty();
  if (ended && course.complete_before_ms > 0)
    return std::max({known, course.complete_before_ms, read.made_ms});
  if (read.records == 0) return known;
  if (made_before(read.made_ms) <= course.replayed_before_ms) return 0;
  return std::max({known, course.complete_before_ms, read.made_ms});
}

// Says that no time is known, and waits until no server gives numbers any more. False: the mark
// could not be put, or is another.
Awaitable<bool> Follower::announce_step(Course& course) {
  Mark mark{course.mark->read_to, false, 0};
  auto put = co_await move(course, std::move(mark), std::vector<Change>());
  if (!put || !*put) co_return false;
  co_await rest(course, pace_.visible_after);
  co_return true;
}

Awaitable<std::optional<Follower::End>> Follower::take(Course& course, Read read,
                                                       std::uint64_t asked_ms) {
  course.empty = read.records == 0 ? course.empty + 1 : 0;
  if (!read.sequence.empty()) course.read_to = read.sequence;
  // A shard that has ended may have a child with older records than now: it is never at the tip.
  bool ended = read.next.empty();
  bool at_tip = !ended && course.empty >= (course.was_at_tip ? enough_empty : enough_empty_first);
  course.was_at_tip |= at_tip;
  Mark after{course.read_to, false, as_of(course, read, at_tip)};
  course.previous_read_ms = asked_ms;
  // The target's own marks come back as records of the stream. So a mark without changes is put
  // only once a beat.
  auto known = course.mark ? course.mark->as_of_ms : 0;
  bool due = after.as_of_ms >= known + static_cast<std::uint64_t>(pace_.beat.count());
  if (after.as_of_ms == 0 && known > 0 && !read.changes.empty() && !co_await announce_step(course))
    co_return co_await reread_state(course, std::nullopt);
  if (due || !read.changes.empty()) {
    auto changes = read.changes.size();
    auto moved = co_await move(course, after, std::move(read.changes));
    if (!moved) co_return std::nullopt;
    if (!*moved) co_return End::changed;
    counters_.changes += changes;
  }
  if (ended) co_return co_await finish(course);
  if (course.failures > 0) spdlog::info("shard {}: works again", course.shard);
  course.failures = 0;
  course.iterator = std::move(read.next);
  if (read.records == 0) co_await rest(course, pace_.poll);
  co_return std::nullopt;
}

// Makes a step. False: the target is not as it was known. Absent: it failed.
Awaitable<std::optional<bool>> Follower::move(Course& course, Mark after,
                                              std::vector<Change> changes) {
  QUIRE_ENSURE(!course.mark || !course.mark->ended);
  Step step = course.step(after, std::move(changes));
  auto applied = co_await target_.apply(std::move(step));
  if (!applied) {
    course.unclear = true;
    co_await wait_to_retry(course, applied.error());
    co_return std::nullopt;
  }
  if (!*applied) co_return false;
  course.mark = std::move(after);
  ++counters_.steps;
  co_return true;
}

// The children of the shard get their marks before its own says that it has ended. Otherwise those
// who know the state alone, and not the stream, would take the time of other shards for the time up
// to which all is applied.
Awaitable<std::optional<Follower::End>> Follower::finish(Course& course) {
  course.iterator.clear();
  auto stream = co_await source_.stream();
  if (!stream) {
    co_await wait_to_retry(course, stream.error());
    co_return std::nullopt;
  }
  auto as_of = course.mark ? course.mark->as_of_ms : 0;
  for (const auto& child : stream->shards) {
    if (child.parent != course.shard) continue;
    Step step{course.epoch, child.id, {}, {{}, false, as_of}, {}, {}};
    auto begun = co_await target_.apply(std::move(step));  // false: it has a mark already
    if (!begun) {
      course.unclear = true;
      co_await wait_to_retry(course, begun.error());
      co_return std::nullopt;
    }
  }
  Mark last{course.read_to, true, as_of};
  std::vector<Change> none;
  auto ended = co_await move(course, std::move(last), std::move(none));
  if (!ended) co_return std::nullopt;
  co_return *ended ? End::done : End::changed;
}

Awaitable<void> Follower::wait_to_retry(Course& course, const Error& error) {
  ++counters_.failures;
  if (course.failures++ == 0) spdlog::warn("shard {}: {}", course.shard, error.message);
  auto wait = pace_.retry_delay * (1 << std::min(course.failures - 1, 10));
  co_await rest(course, std::min(wait, max_wait));
}

// Ends early when the shard is no longer this worker's.
Awaitable<void> Follower::rest(const Course& course, Milliseconds time) {
  auto now = std::chrono::steady_clock::now();
  auto until = now + time;
  for (; course.mine() && now < until; now = std::chrono::steady_clock::now()) {
    auto left = std::chrono::ceil<Milliseconds>(until - now);
    co_await pause(std::min(left, pace_.wait_step));
  }
}

}  // namespace quire::projection
