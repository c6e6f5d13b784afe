// The changes of a table's stream, and the port to what follows them: a page
// index, or the table's statistics. A target keeps how far the stream was applied beside what it
// keeps, and moves both together. So a worker that is killed neither loses a change nor applies one
// twice, and of two workers at the same shard one finds that the other was faster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event.h"
#include "loop/awaitable.h"
#include "model/facets.h"
#include "model/schema.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire::change {

// What the words of a comment are made of, beside its language.
struct Texts {
  std::string title, text;
  friend bool operator==(const Texts&, const Texts&) = default;
};

// What the facets and the words of a comment are made of.
struct IndexedValues {
  Cell cell;                        // of one language and one rating: no value is `any`
  std::optional<Texts> texts = {};  // absent: they are not known
  Attributes attributes;

  IndexedValues(Cell cell, Attributes attributes = {})
      : cell(cell), attributes(std::move(attributes)) {}
  explicit IndexedValues(Comment comment)
      : cell(quire::cell(comment.language, comment.rating)),
        texts(Texts{comment.title, comment.text}),
        attributes(facet_attributes(std::move(comment))) {}
  friend bool operator==(const IndexedValues&, const IndexedValues&) = default;
};

// One comment's insert, modification or removal.
struct Change {
  std::string product;
  Ulid id;
  std::optional<IndexedValues> from = {};  // absent: the comment was not there before
  std::optional<IndexedValues> to = {};    // absent: the comment is removed
  // The sequence number of its record in the shard. A step is never cut between two changes of the
  // same record.
  std::string sequence = {};
  // The primary key of the item, in a table that others made; else empty. It names the comment: if
  // a comment of another product or id had the key before, that comment is removed. The last 80
  // bits of the id are a hash of the key, and a removal knows no more of the id than these bits.
  std::string key = {};
  // What a log of events tells of it, but for the mark: only of a source that is asked for events.
  std::optional<Event> event = {};

  friend bool operator==(const Change&, const Change&) = default;
};

inline std::optional<Cell> cell_of(const std::optional<IndexedValues>& values) {
  return values ? std::optional(values->cell) : std::nullopt;
}
// Whether the comment may have other words than before. One whose texts are not known keeps its
// own.
inline bool rewords(const Change& change) {
  if (!change.from || !change.to) return !change.to || change.to->texts;
  const auto &from = *change.from, &to = *change.to;
  return to.texts &&
         (from.texts != to.texts || from.cell[language_facet] != to.cell[language_facet]);
}
// Whether the change puts the comment into other lists. Otherwise it is of attributes alone.
inline bool moves(const Change& change) {
  return cell_of(change.from) != cell_of(change.to);
}

// How far a shard of the stream was applied; while a target is built, also how far a segment of the
// table was scanned.
struct Mark {
  // The last record's sequence number, or the segment's last key; empty: nothing was read yet.
  std::string read_to;
  bool ended = false;          // nothing comes after it
  std::uint64_t as_of_ms = 0;  // all that was written before then is applied; 0: not known

  friend bool operator==(const Mark&, const Mark&) = default;
};

// Changes of one shard, and its mark before and after them.
struct Step {
  std::string epoch;  // of the state that the step belongs to
  std::string shard;
  std::optional<Mark> before;  // absent: the shard has no mark yet
  Mark after;
  std::vector<Change> changes;           // in the order in which they were made; may be none
  std::vector<std::string> forget = {};  // shards whose marks are no longer needed
};

enum class Phase {
  empty,      // never built, or lost: run quire backfill
  building,   // quire backfill is at work
  following,  // workers keep the target in step
  lost,       // the stream no longer has the records that come next: run quire backfill
};
// The name of the phase where a target stores texts: "empty".
std::string_view phase_name(Phase phase);
std::optional<Phase> parse_phase(std::string_view name);

struct State {
  Phase phase = Phase::empty;
  std::string epoch;   // names the contents since the last reset(); each reset() begins another
  std::string stream;  // the ARN of the stream that has the shards
  std::map<std::string, Mark> marks;
  Schema schema = {};        // the facets that the target holds
  bool lacks_words = false;  // it is to have an index of words, and only a build can make it

  friend bool operator==(const State&, const State&) = default;
};

// All that was written before this time is applied, from every shard; 0: not known, or the target
// does not follow.
std::uint64_t as_of_ms(const State& state);

// Thread-safe. Errors: unavailable, the target cannot be reached now. Whether a step was made is
// not known then; the same step may be tried again.
class Target {
 public:
  virtual ~Target() = default;

  // Whether it holds the facets with which reset() began it. Other targets hold language and rating
  // alone, and their state says so.
  virtual bool holds_facets() const { return false; }

  virtual Awaitable<Result<State>> state() = 0;

  // Applies the changes and moves the mark in one transaction. A target that cannot do so applies
  // the step in pieces, each in one transaction that moves the mark over this piece. False: the
  // epoch or the mark is not the expected one (of a mark, `read_to` and `ended` are compared);
  // pieces that were applied before stay.
  // Where lists are kept, a change does no harm when it comes twice, or when its comment is not
  // there: it says which lists the comment is in afterwards, whatever lists it was in before.
  virtual Awaitable<Result<bool>> apply(Step step) = 0;

  // Forgets everything and begins anew with this state. Killed half-way, the target is empty.
  virtual Awaitable<Status> reset(State state) = 0;

  // Changes the phase alone. False: the epoch or the phase is another.
  virtual Awaitable<Result<bool>> change_phase(std::string epoch, Phase from, Phase to) = 0;
};

// The end of the time in which a record was written, by the time that its stream tells: DynamoDB
// tells it in whole seconds, and DynamoDB Local in whole minutes.
std::uint64_t made_before(std::uint64_t made_ms);

// The one mark in place of the shards' where AWS Lambda keeps how far the stream was read.
inline const std::string lambda_mark = "lambda";

}  // namespace quire::change
