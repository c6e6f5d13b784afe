#include "word_index/terms_of_segment.h"

#include "word_index/varint.h"

namespace quire::word_index {

bool TermsOfSegment::open(const std::optional<RowSource::Found>& row) {
  reader_.reset();
  if (row && is_of_segment(row->key, segment_)) reader_.emplace(row->value);
  return reader_.has_value();
}

// To the next entry, which may be another part of the same list.
bool TermsOfSegment::step() {
  if (reader_->next()) return true;
  return open(rows_.next()) && reader_->next();
}

// Whether the list of the present entry has another part, which is the present one then.
bool TermsOfSegment::to_next_part() {
  if (!reader_->list().goes_on()) return false;
  auto term = reader_->term();
  if (!step() || reader_->term() != term) damaged();
  return true;
}

bool TermsOfSegment::next() {
  if (!reader_) {
    auto row = rows_.at_or_before(row_key(segment_, {}));
    if (!row || !is_of_segment(row->key, segment_)) row = rows_.next();
    return open(row) && reader_->next();
  }
  while (to_next_part()) {
  }
  return step();
}

bool TermsOfSegment::seek(std::string_view term) {
  auto row = rows_.at_or_before(row_key(segment_, term));
  if (!row || !is_of_segment(row->key, segment_)) row = rows_.next();
  if (!open(row)) return false;
  if (reader_->seek(term)) return true;
  do {
    if (!step()) return false;
  } while (reader_->term() < term);
  return true;
}

void TermsOfSegment::add_to(std::span<std::uint64_t> bits) {
  do {
    reader_->list().add_to(bits);
  } while (to_next_part());
}

void TermsOfSegment::append_to(std::vector<Position>& positions) {
  do {
    reader_->list().append_to(positions);
  } while (to_next_part());
}

}  // namespace quire::word_index
