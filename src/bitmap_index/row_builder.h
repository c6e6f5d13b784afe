// Builds the row of a facet in a block from parts of the rows that were there before, as they lie,
// and from the values of ids that changed. Bits and positions are moved, not decoded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/block_row.h"
#include "bitmap_index/edit.h"

namespace quire::bitmap_index {

// Neighbouring ids of an old block that stay as they were, and where they come to in a new block.
struct Run {
  std::uint32_t source;  // the index of the old block
  std::uint32_t from, count;
  std::uint32_t to;
};

// A value of an id of the new block.
struct Add {
  Code code;
  std::uint32_t position;
  const Value* value;
};

// One thread at a time. Keeps its memory for the next row.
class RowBuilder {
 public:
  using Sources = std::span<const std::optional<BlockRow>>;

  // The row, with `spare` more bytes at its end for a seal. `runs` are sorted by where they come
  // to, `adds` by code, then position; together they fill the block. Empty: no id has a value. The
  // bytes live until the next call. Throws lmdb::Damaged.
  std::span<char> build(std::size_t ids, std::span<const Run> runs, Sources sources,
                        std::span<const Add> adds);
  // The first add of each code that none of the old rows has.
  const std::vector<const Add*>& fresh() const { return fresh_; }

 private:
  // An old row that has ids in the new block, and its entry of the code at hand.
  struct OldRow {
    const BlockRow* row;
    std::uint32_t source;
    std::size_t entry = 0;
    bool has = false;
    std::size_t n = 0;  // of the entry's ids, how many lie before the run at hand
  };

  void take_parts(Sources sources);
  bool next_code(std::span<const Add> adds, Code& code);
  void put_entry(Code code, std::span<const Add> adds);
  bool stays(const OldRow& part) const;
  void copy_entry(Code code, const OldRow& part);
  void end_entry(Code code, std::size_t count);
  std::size_t rest_bytes(Code code, std::span<const Add> adds) const;
  OldRow* part_of(const Run& run);
  std::size_t fill_words(std::span<const Add> adds);
  std::size_t count_words(std::span<const Add> adds) const;
  void put_words(std::size_t count);
  void fill_positions(std::span<const Add> adds, std::size_t rest);
  void take_positions(OldRow& part, const Run& run, std::size_t rest);
  void take_sparse(OldRow& part, const Run& run, std::size_t& first);
  void put_positions();
  std::span<char> assemble();

  std::size_t ids_ = 0;
  std::span<const Run> runs_;
  std::vector<OldRow> parts_;
  // Positions that the new block does not take of its only part; some, if they are many.
  std::vector<std::uint32_t> gaps_;
  bool unmoved_ = false;  // there is one part, and its positions are the same in the new block
  Words words_;
  std::vector<std::uint16_t> positions_;
  std::string rests_;  // as they lie
  std::vector<const Add*> fresh_;

  std::vector<Code> codes_;
  std::vector<std::uint16_t> counts_;
  std::vector<std::uint32_t> ends_;  // of payloads
  std::string payloads_;
  std::string out_;
};

}  // namespace quire::bitmap_index
