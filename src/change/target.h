// What a projection feeds: a page index, or the table's statistics. It keeps, beside what it was
// told, how far in the stream that reaches, and moves both together: so a worker killed at any
// moment neither loses a change nor applies one twice, and of two workers one finds that the other
// was faster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "model/facets.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire::change {

// One comment's, as the stream tells it: where it was, and where it is. Both are full cells.
struct Change {
  std::string product;
  Ulid id;
  std::optional<Cell> from = {};  // absent: it was not there
  std::optional<Cell> to = {};    // absent: it is no longer there
  std::string place = {};  // of its record in the shard: up to it, a step may be made in part

  friend bool operator==(const Change&, const Change&) = default;
};

// How far a shard of the stream was applied; or, while it is built, a segment of the table's scan.
struct Mark {
  std::string place;           // what to read on from; empty: from the shard's beginning
  bool ended = false;          // there will be no more
  std::uint64_t as_of_ms = 0;  // what happened before then is applied; 0: not known

  friend bool operator==(const Mark&, const Mark&) = default;
};

// A step of one shard.
struct Step {
  std::string epoch;  // of the state it belongs to
  std::string shard;
  std::optional<Mark> before;  // how far it was; nothing: the shard has no mark yet
  Mark after;
  std::vector<Change> changes;           // in the order in which they were made; may be none
  std::vector<std::string> forget = {};  // shards whose marks are no longer needed
};

enum class Phase {
  empty,      // nothing was ever built, or it was lost: run quire backfill
  building,   // backfill is at work
  following,  // the worker keeps it in step
  lost,       // the stream no longer has what comes next: run quire backfill
};

struct State {
  Phase phase = Phase::empty;
  std::string epoch;   // names this life of it; another one after each reset()
  std::string stream;  // the ARN whose shards these are
  std::map<std::string, Mark> marks;

  friend bool operator==(const State&, const State&) = default;
};

// What was written before then is in it, of all shards; 0: it is not known, or it does not follow.
std::uint64_t as_of_ms(const State& state);

// Thread-safe. Errors: unavailable, it cannot be reached now; it is not known whether a step was
// made, and the same step may be tried again.
class Target {
 public:
  virtual ~Target() = default;

  virtual Awaitable<Result<State>> state() = 0;

  // Applies the changes and moves the mark, all or nothing; or in parts, moving the mark with each.
  // False: nothing more happened, for the epoch or the mark is another (of the mark, `place` and
  // `ended` count).
  // Changes say which lists a comment is in afterwards, whatever it was in before: one that was
  // applied already, or is of a comment that is not there, does no harm where lists are kept.
  virtual Awaitable<Result<bool>> apply(Step step) = 0;

  // Forgets everything and begins anew with this state. Killed half-way, it is empty.
  virtual Awaitable<Status> reset(State state) = 0;

  // Changes the phase alone. False: the epoch or the phase is another.
  virtual Awaitable<Result<bool>> turn(std::string epoch, Phase from, Phase to) = 0;
};

}  // namespace quire::change
