// Segments that become one under slots of its own, which are in the order of products and ids. The
// comments of a product are in as few runs then as it has blocks, whatever came between them. It is
// prepared from an earlier state of the store and put in steps, each of which a writer may take in
// a transaction of its own: at every moment each comment has one slot, and its terms are there.
// Where the steps end early, the segments have some of the comments each, and are due again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lmdb/sealed.h"
#include "word_index/databases.h"
#include "word_index/merge.h"
#include "word_index/row.h"
#include "word_index/runs.h"
#include "word_index/state.h"

namespace quire::word_index {

struct Renumbering {
  std::uint32_t rewrites;                 // Segments::rewrites then
  std::vector<Segment> before;            // in the order of slots; they need not be neighbours
  std::vector<std::vector<Position>> to;  // of each, where its positions come to
  std::uint32_t length = 0;               // of the new segment: slots that some comment has
  std::vector<Row> rows;                  // of the new segment, as if it began with slot 0
  std::vector<CommentKey> blocks;         // whose runs name slots of the old ones
};

// How far it is.
struct RenumberingState {
  enum class Step : std::uint8_t {
    begin,   // nothing is written
    rows,    // the new segment gets its rows; no comment has its slots
    blocks,  // comments get the new slots, block by block
    drop,    // no comment has the old slots: the old segments go
    done,
    lost,  // the index was changed by others, so that it cannot go on
  };
  Step step = Step::begin;
  std::uint32_t rewrites = 0;  // Segments::rewrites behind the last step
  Slot start = 0;              // of the new segment
  std::size_t at = 0;          // how many rows, blocks, segments the step has done

  bool is_over() const { return step == Step::done || step == Step::lost; }
};

// Prepares it as the transaction sees these segments; reads all runs. Throws lmdb::Damaged.
Renumbering prepare_renumbering(const Databases& databases, const lmdb::Transaction& txn,
                                const Segments& all, std::vector<Segment> due);

// Call it between the steps, with the transaction of a state that has the last one. After all
// blocks have new slots, it looks for others that name the old segments, since blocks are split and
// joined meanwhile; if there are none, the old segments go next. Throws lmdb::Damaged.
void look_again(const Databases& databases, const lmdb::Transaction& txn, Renumbering& plan,
                RenumberingState& state);

}  // namespace quire::word_index
