// Walks over the terms of a segment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "word_index/row.h"

namespace quire::word_index {

// The rows of all segments, in the order of their keys. One thread at a time.
class RowSource {
 public:
  struct Found {
    std::string_view key, value;  // without a seal; both live until the next call
  };
  virtual ~RowSource() = default;
  // The last row whose key is not above `key`. Absent: there is none.
  virtual std::optional<Found> at_or_before(std::string_view key) = 0;
  // The row behind the last one that was found; if none was, the first. Absent: there is none.
  virtual std::optional<Found> next() = 0;
};

// One thread at a time. All throw lmdb::Damaged where a row is.
class TermsOfSegment {
 public:
  // `rows` must outlive it, and nobody else asks it meanwhile.
  TermsOfSegment(RowSource& rows, Slot segment) : rows_(rows), segment_(segment) {}

  // Moves to the next term, the first time to the first one. False: there is none, and there is
  // no term until seek().
  bool next();
  // Moves to the first term that is not below `term`. False: as of next().
  bool seek(std::string_view term);
  const std::string& term() const { return reader_->term(); }
  // The positions of the term, which can be read once: as bits, or appended.
  void add_to(std::span<std::uint64_t> bits);
  void append_to(std::vector<Position>& positions);

 private:
  bool open(const std::optional<RowSource::Found>& row);
  bool step();
  bool to_next_part();

  RowSource& rows_;
  Slot segment_;
  std::optional<RowReader> reader_;
};

}  // namespace quire::word_index
