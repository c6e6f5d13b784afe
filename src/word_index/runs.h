// Which slots the ids of a block have: ranges of slots, in the order of the ids.
// Format: docs/formats/words.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/databases.h"
#include "word_index/row.h"

namespace quire::word_index {

// Neighbouring ids with neighbouring slots: the first id has `slot`, the next one `slot` + 1.
struct SlotRun {
  Slot slot;
  std::uint32_t length;
  friend bool operator==(const SlotRun&, const SlotRun&) = default;
};

// The key of a block's runs.
bitmap_index::Key<20> runs_key(bitmap_index::Product product, const Ulid& start);

// No run goes on where the one before ends. One thread at a time.
class Runs {
 public:
  Runs() = default;
  // Throws lmdb::Damaged, also where there are more ids than a block may have.
  static Runs decode(std::string_view bytes);
  // The same, in the place of these runs.
  void read(std::string_view bytes);
  std::string encode() const;

  const std::vector<SlotRun>& all() const { return runs_; }
  std::size_t ids() const { return ids_; }
  Slot slot(std::size_t position) const;  // position < ids()

  // The id at `position`, and those behind it, move up by one. position <= ids()
  void insert(std::size_t position, Slot slot);
  // Returns the slot that no id has any more. position < ids()
  Slot erase(std::size_t position);
  // The ids from `position` on leave this block, and are another one. position <= ids()
  Runs split(std::size_t position);
  // The ids of another block follow, or those of a run.
  void append(const Runs& runs);
  void add(SlotRun run);

 private:
  std::size_t run_at(std::size_t& position) const;
  void join(std::size_t run);

  std::vector<SlotRun> runs_;
  std::size_t ids_ = 0;
};

}  // namespace quire::word_index
