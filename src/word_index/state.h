// Whether a store has words, and how far they are built or dropped. Format: docs/formats/words.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bitmap_index/databases.h"
#include "lmdb/sealed.h"
#include "word_index/databases.h"
#include "word_index/merge.h"

namespace quire::word_index {

inline constexpr std::string_view segments_key = "segments", work_key = "work";

// Of rows of words, and of no others: they can be made again from the comments.
class DamagedWords : public lmdb::Damaged {
 public:
  using Damaged::Damaged;
};

// A comment by its product and id, in the order in which words are built.
using CommentKey = bitmap_index::Key<20>;

// What is being done to the index, in pieces. Absent in a store: nothing is.
struct Work {
  enum class Step : std::uint8_t {
    build = 1,    // comments behind `last` have no words yet
    drop = 2,     // whatever is there goes; no change of a comment changes it
    rebuild = 3,  // the same, and then it is built anew
  };
  Step step = Step::build;
  std::uint64_t passed = 0;  // comments that building has passed
  CommentKey last = {};      // the last of them; zeros: none
  friend bool operator==(const Work& a, const Work& b) {
    return a.step == b.step && a.passed == b.passed && a.last.bytes == b.last.bytes;
  }
};

std::string encode(const Work& work);
Work decode_work(std::string_view bytes);  // throws lmdb::Damaged

enum class State : std::uint8_t {
  absent,       // the store is to have no words
  dropping,     // the same, and rows of earlier ones are left
  building,     // of some comments, or of none, since earlier rows are left
  other_rules,  // of no use: the terms were made by other rules than this program's
  ready,
};

// The index in one state of the store. `segments` is of use in building and ready.
struct Contents {
  State state = State::absent;
  Segments segments = {};
  std::optional<Work> work = {};

  // Whether any change of a comment may change the index: it has no rows of an earlier one.
  bool changes() const {
    bool builds = state == State::building && work && work->step == Work::Step::build;
    return state == State::ready || builds;
  }
  // Whether a change of the comment changes the index: absent, or not built so far.
  bool takes(const CommentKey& comment) const;
};

// Reads it: one look into a database where there are no words. Throws lmdb::Damaged.
Contents read_contents(const Databases& databases, const lmdb::Transaction& txn);

}  // namespace quire::word_index
