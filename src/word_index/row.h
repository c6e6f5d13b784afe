// Rows of a segment: its terms, sorted, each with the positions of the slots that have it. A row
// with its seal fills one page of LMDB behind the page's head, and is never longer.
// Format: docs/formats/words.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quire::word_index {

using Slot = std::uint32_t;      // of a store
using Position = std::uint32_t;  // of a slot in its segment: the segment's first slot has 0

inline constexpr std::size_t max_row = 4072;          // bytes, without the seal
inline constexpr std::size_t max_segment = 1u << 17;  // slots
inline constexpr std::size_t entries_a_restart = 16;  // the first of them shares no prefix

// The key of a row: its segment's first slot, the row's first term, and which part of this term's
// list the row begins with. Part 0 is the beginning of the list.
std::string row_key(Slot segment, std::string_view term, unsigned part = 0);
// Whether a key is of a row of the segment.
bool is_of_segment(std::string_view key, Slot segment);

struct Row {
  std::string key, value;
};

// Makes the rows of one segment.
class RowWriter {
 public:
  explicit RowWriter(Slot segment) : segment_(segment) {}

  // Terms ascend, are of 1 to 64 bytes and have no byte 00. `positions` ascend, are below
  // max_segment, and there is at least one.
  void add(std::string_view term, std::span<const Position> positions);
  // The rows, in the order of their keys. Nothing can be added then.
  std::vector<Row> finish();

 private:
  std::size_t room(std::string_view term) const;
  void begin_row(std::string_view term, unsigned part);
  void end_row();

  Slot segment_;
  std::vector<Row> rows_;
  std::string key_;
  std::vector<std::uint16_t> restarts_;
  std::string entries_;
  std::size_t count_ = 0;
  std::string last_;  // term
};

// The positions of a term, or a part of them, where they lie.
class List {
 public:
  List() = default;
  // Takes a list off the front of an entry's bytes. Throws lmdb::Damaged.
  explicit List(std::string_view& bytes);

  bool goes_on() const { return goes_on_; }  // in the row after this one
  std::size_t size() const { return size_; }
  // Both throw lmdb::Damaged, the first one also where a position is behind the bits.
  void add_to(std::span<std::uint64_t> bits) const;
  void append_to(std::vector<Position>& positions) const;

 private:
  template <class Use>
  void for_positions(Use use) const;

  std::size_t size_ = 0;
  bool goes_on_ = false, bitmap_ = false;
  std::string_view payload_;
};

// Reads a row where it lies. The bytes must outlive it. All throw lmdb::Damaged.
class RowReader {
 public:
  explicit RowReader(std::string_view row);

  // Moves to the next entry, the first time to the first one. False: there is none.
  bool next();
  // Moves to the first entry whose term is not below `term`. False: there is none.
  bool seek(std::string_view term);
  const std::string& term() const { return term_; }
  const List& list() const { return list_; }

 private:
  std::string_view first_term(std::size_t restart);

  std::string_view row_, rest_;
  std::size_t count_, restarts_, at_ = 0;
  std::string term_;
  List list_;
};

}  // namespace quire::word_index
