#include "bitmap_index/reading/sweep.h"

#include <algorithm>

#include "bitmap_index/level_counts.h"

namespace quire::bitmap_index {

Sweep::Sweep(Reader& reader, const Selection& selection, std::span<const FacetNumber> facets)
    : reader_(reader), blocks_(reader.counts(every_id, 0, 0)) {
  for (const auto& term : selection.terms) parts_[part_of(term.facet)].terms.push_back(term);
  for (auto facet : facets) facets_.push_back(part_of(facet));
  blocks_.seek({});
  fetch();
}

// The part of a facet, which gets one.
std::size_t Sweep::part_of(FacetNumber facet) {
  auto at = std::find_if(parts_.begin(), parts_.end(),
                         [&](const FacetColumn& part) { return part.column.facet == facet; });
  if (at != parts_.end()) return static_cast<std::size_t>(at - parts_.begin());
  Column& column = parts_.emplace_back().column;
  column.facet = facet;
  column.begin(reader_);
  return parts_.size() - 1;
}

// Lets the rows of the next block come while the present one is looked at.
void Sweep::fetch() {
  next_.reset();
  if (!blocks_.there()) return;
  next_ = blocks_.start();
  for (auto& part : parts_) part.column.fetch(*next_);
}

bool Sweep::next() {
  if (!next_) return false;
  start_ = *next_;
  ids_ = checked_block_size(blocks_.count());
  for (auto& part : parts_) part.column.step();
  blocks_.next();
  fetch();
  for (auto& part : parts_) select(part);
  combine();
  return true;
}

void Sweep::select(FacetColumn& part) {
  part.row.reset();
  if (part.column.row) part.row = part.column.open(reader_, start_);
  if (part.row && part.row->ids() != ids_) contradict("a row and its block differ in size");
  fill(part.words, ids_);
  for (const auto& term : part.terms) {
    bool some = part.row ? narrow(term, *part.row, part.words, scratch_) : !term.needs_value();
    if (some) continue;
    std::fill(part.words.begin(), part.words.end(), 0);
    return;
  }
}

// What all parts but one select is what those before it select, and those behind it.
void Sweep::combine() {
  auto keep = [](Words& words, const Words& others) { keep_words(words, bytes_of(others)); };
  fill(scratch_, ids_);
  for (auto& part : parts_) {
    part.others.words = scratch_;
    keep(scratch_, part.words);
  }
  fill(scratch_, ids_);
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    keep(part->others.words, scratch_);
    keep(scratch_, part->words);
    part->others.count = popcount(part->others.words);
  }
}

const Sweep::Chosen& Sweep::others(std::size_t i) const {
  return parts_[facets_[i]].others;
}

const std::optional<BlockRow>& Sweep::row(std::size_t i) const {
  return parts_[facets_[i]].row;
}

}  // namespace quire::bitmap_index
