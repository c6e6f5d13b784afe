#include "projection/backfill.h"
#include "base/try.h"

#include "loop/loop.h"

namespace quire::projection {
namespace {

constexpr int max_attempts = 8;  // at a segment, in a row, while the source or the target fails

// The number of segments with which the build began.
std::size_t segments_of(const State& state) {
  std::size_t segments = 0;
  for (const auto& [shard, mark] : state.marks) segments += is_segment(shard);
  return segments;
}

// The facets that the target should hold.
Awaitable<Result<Schema>> schema_for(Source& source, const Target& target) {
  if (!target.holds_facets()) co_return Schema();
  co_return co_await source.schema();
}

// Resets the target to the state with which a build begins.
Awaitable<Result<State>> begin_building(Source& source, Target& target, std::string epoch,
                                        const Building& options) {
  CO_TRY(auto stream, co_await source.stream());
  CO_TRY(auto schema, co_await schema_for(source, target));
  State state{Phase::building, std::move(epoch), stream.arn, {}, std::move(schema)};
  if (options.lambda)
    state.marks[lambda_mark] = {};
  else
    state.marks = first_marks(stream, options.clock());
  for (std::size_t i = 0; i < options.segments; ++i)
    state.marks[segment_name(i, options.segments)] = {};
  State reset = state;
  CO_TRY_DONE(co_await target.reset(std::move(reset)));
  co_return state;
}

Error begun_anew() {
  return {ErrorCode::unavailable,
          "Another quire backfill has begun, or the unfinished build was lost. Run quire backfill "
          "again."};
}

// Whether an unfinished build goes on from its marks.
Awaitable<Result<bool>> goes_on(Source& source, const Target& target, const State& state,
                                const Building& options) {
  bool building = state.phase == Phase::building && segments_of(state) > 0;
  if (!building || state.marks.contains(lambda_mark) != options.lambda) co_return false;
  CO_TRY(auto stream, co_await source.stream());
  CO_TRY(auto schema, co_await schema_for(source, target));
  bool holds = state.schema.holds(schema) && !state.lacks_words;
  co_return holds&& broken_off(state, stream, options.clock()).empty();
}

enum class Pass {
  done,
  overtaken,   // by another backfill at the same segment
  begun_anew,  // by another backfill
};

// Makes a segment's steps, and counts them in `steps`. Begins at the target's mark, which also
// tells whether a step was made whose answer was lost.
Awaitable<Result<Pass>> advance(Source& source, Target& target, const std::string& epoch,
                                std::size_t segment, std::size_t segments, Progress& progress,
                                std::size_t& steps) {
  auto shard = segment_name(segment, segments);
  CO_TRY(auto state, co_await target.state());
  if (state.epoch != epoch) co_return Pass::begun_anew;
  auto at = state.marks.find(shard);
  // Workers forget the marks of segments when all segments are done.
  if (at == state.marks.end()) co_return Pass::done;
  Mark mark = at->second;
  while (!mark.ended) {
    CO_TRY(auto scanned, co_await source.scan(segment, segments, mark.read_to));
    Mark after{scanned.read_to, scanned.ended, 0};
    auto comments = scanned.changes.size();
    Step step{epoch, shard, mark, after, std::move(scanned.changes), {}};
    CO_TRY(auto applied, co_await target.apply(std::move(step)));
    if (!applied) co_return Pass::overtaken;
    progress.comments += comments;
    ++steps;
    mark = std::move(after);
  }
  co_return Pass::done;
}

Awaitable<Status> build_segment(Source& source, Target& target, std::string epoch,
                                std::size_t segment, std::size_t segments, Milliseconds retry_delay,
                                Progress& progress) {
  Error last{ErrorCode::unavailable,
             "Another quire backfill works on the same segment of the table."};
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    std::size_t steps = 0;
    auto pass = co_await advance(source, target, epoch, segment, segments, progress, steps);
    if (pass && *pass == Pass::begun_anew) co_return begun_anew();
    if (pass && *pass == Pass::done) {
      ++progress.segments_done;
      co_return Done{};
    }
    if (!pass) last = pass.error();
    if (steps > 0) attempt = 0;
    co_await pause(retry_delay * (1 << attempt));
  }
  co_return last;
}

// Done, too, if another backfill has changed the phase.
Awaitable<Status> begin_following(Target& target, std::string epoch) {
  CO_TRY(auto turned, co_await target.change_phase(epoch, Phase::building, Phase::following));
  if (turned) co_return Done{};
  CO_TRY(auto state, co_await target.state());
  if (state.epoch != epoch || state.phase == Phase::building) co_return begun_anew();
  co_return Done{};
}

}  // namespace

std::string new_name() {
  return Ulid::make(system_ms(), system_entropy()).text();
}

Awaitable<Result<bool>> is_built(Source& source, Target& target, Clock clock) {
  CO_TRY(auto state, co_await target.state());
  if (state.phase != Phase::following) co_return false;
  CO_TRY(auto stream, co_await source.stream());
  // No worker may have told yet that the target cannot go on.
  if (!broken_off(state, stream, clock()).empty()) co_return false;
  CO_TRY(auto schema, co_await schema_for(source, target));
  co_return state.schema.holds(schema) && !state.lacks_words;
}

Awaitable<Status> backfill(Source& source, Target& target, std::string epoch, Building options,
                           Progress& progress) {
  auto state = co_await target.state();
  // A state that cannot be read may be damaged. With `again` it is made anew; the reset then tells
  // whether the target can be reached.
  if (!state && !options.again) co_return state.error();
  Result<bool> further = false;
  if (!options.again) {
    CO_TRY(auto built, co_await is_built(source, target, options.clock));
    if (built) co_return Done{};
    further = co_await goes_on(source, target, *state, options);
    if (!further) co_return further.error();
  }
  if (!*further) state = co_await begin_building(source, target, std::move(epoch), options);
  if (!state) co_return state.error();
  auto segments = segments_of(*state);
  progress.segments = segments;
  std::vector<Awaitable<Status>> works;
  for (std::size_t i = 0; i < segments; ++i)
    works.push_back(
        build_segment(source, target, state->epoch, i, segments, options.retry_delay, progress));
  auto ended = co_await all(std::move(works));
  for (const auto& each : ended) {
    if (!each) co_return each.error();
  }
  co_return co_await begin_following(target, state->epoch);
}

}  // namespace quire::projection
