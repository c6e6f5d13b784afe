// Changes the index within one write transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/databases.h"
#include "bitmap_index/region.h"
#include "lmdb/environment.h"
#include "quire/ulid.h"
#include "word_index/databases.h"
#include "word_index/merge.h"
#include "word_index/renumber.h"
#include "word_index/rewrite.h"
#include "word_index/row.h"
#include "word_index/runs.h"
#include "word_index/state.h"
#include "word_index/terms.h"

namespace quire::word_index {

// What becomes of a comment: it comes or has other terms now, or it goes.
struct Change {
  Ulid id;
  std::optional<Terms> terms;  // absent: it goes
};

// One thread at a time. Throws lmdb::Failure and lmdb::Damaged: then the caller must abort the
// transaction, but for DamagedWords, after which it may remove all words instead.
class IndexEdit {
 public:
  // `index` is the bitmap index whose blocks the runs follow. All must outlive it.
  IndexEdit(const Databases& databases, const bitmap_index::Databases& index,
            lmdb::WriteTransaction& txn);

  // Whether a change of the comment is one of the index. Where not, apply() need not be told, and
  // no terms need be made.
  bool takes(bitmap_index::Product product, const Ulid& id) const;
  const Contents& contents() const { return contents_; }

  // Call it before the bitmap index gets the same changes: comments that come are not in it, all
  // others are. `changes` are of one product, sorted by id, each id once. Those that the index does
  // not take are passed over. A comment that is there with the same terms gets a new slot, too.
  void apply(bitmap_index::Product product, std::vector<Change> changes);
  // Puts segments that were prepared, if the index still has them as they were then. Returns
  // whether it had.
  bool apply(const Rewrite& rewrite);
  // Takes a renumbering further, by about so many rows. In renumber.cc.
  void renumber(const Renumbering& plan, RenumberingState& state, std::size_t rows);
  // Merges segments, and takes out the terms of comments that went: writes at most so many segments
  // anew. For a writer that nobody waits for; others leave it to rewrites that are prepared.
  // `renumbers`: those of the last tier, too, which reads all runs.
  void tidy(std::size_t segments, bool renumbers = true);
  // Writes what is left. Call it before committing; nothing can be changed then.
  void finish();

  // The four below are of contents().state, which they change. In work.cc.
  // From now on there is to be an index: what is there stays if it was made by the present rules,
  // or is built. `comments`: how many there are.
  void begin(std::uint64_t comments);
  // From now on there is to be none.
  void drop();
  // Building has passed so many comments up to this one, which apply() takes then.
  void pass(const CommentKey& last, std::uint64_t comments);
  void end_building();
  // Removes about `rows` rows where State::dropping, or building, asks for it. Returns whether any
  // work of that kind is left.
  bool remove_old(std::size_t rows);

 private:
  struct Fresh {
    bitmap_index::Product product;
    Terms terms;
  };

  void follow(bitmap_index::Product product, const bitmap_index::Region& region,
              const std::vector<bitmap_index::Change>& moved, std::vector<Change>& changes);
  Slot add(bitmap_index::Product product, Terms terms);
  void bury(Slot slot);
  void put_runs(bitmap_index::Product product, const Ulid& start, const Runs& runs);
  void write_fresh();
  std::vector<Row> fresh_rows(Slot start, Slot first);
  std::optional<std::vector<Row>> rows_behind(const Segment& open, Slot first);
  void put_rows(std::span<const Segment> old, const std::vector<Row>& rows);
  bool goes_on(const Renumbering& plan, const RenumberingState& state) const;
  void begin(const Renumbering& plan, RenumberingState& state);
  void put_rows(const Renumbering& plan, RenumberingState& state, std::size_t rows);
  void switch_blocks(const Renumbering& plan, RenumberingState& state, std::size_t rows);
  Runs renumbered(const Renumbering& plan, Slot start, const Runs& old);
  void drop_segments(const Renumbering& plan, RenumberingState& state, std::size_t rows);
  bool renumber();
  void merge_small();
  std::vector<Row> merged(const Due& due);
  void put(std::size_t from, const Rewrite& rewrite, bool without_dead = false);
  void put_work(const std::optional<Work>& work);

  const Databases& db_;
  const bitmap_index::Databases& index_;
  lmdb::WriteTransaction& txn_;
  Contents contents_;
  std::vector<Fresh> fresh_;  // of the last slots, in their order
  std::vector<Slot> buried_;  // in segments, since this was made
  bool changed_ = false;
};

}  // namespace quire::word_index
