#include "bitmap_index/reading/sweep.h"

#include <algorithm>

#include "bitmap_index/level_counts.h"

namespace quire::bitmap_index {

Sweep::Sweep(Reader& reader, const Selection& selection, std::span<const FacetNumber> facets)
    : reader_(reader), blocks_(reader.counts(every_id, 0, 0)) {
  if (!selection.words.empty()) words_.emplace(reader.asked(selection.words)).rows().seek({});
  for (const auto& term : selection.terms) columns_[column_of(term.facet)].terms.push_back(term);
  for (auto facet : facets) facets_.push_back(column_of(facet));
  blocks_.seek({});
  fetch();
}

// The column of a facet, which gets one.
std::size_t Sweep::column_of(FacetNumber facet) {
  auto at = std::find_if(columns_.begin(), columns_.end(),
                         [&](const FacetColumn& each) { return each.column.facet == facet; });
  if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
  Column& column = columns_.emplace_back().column;
  column.facet = facet;
  column.begin(reader_);
  return columns_.size() - 1;
}

// Lets the rows of the next block come while the present one is looked at.
void Sweep::fetch() {
  next_.reset();
  if (!blocks_.there()) return;
  next_ = blocks_.start();
  if (words_) words_->fetch(*next_);
  for (auto& each : columns_) each.column.fetch(*next_);
}

bool Sweep::next() {
  if (!next_) return false;
  start_ = *next_;
  ids_ = checked_block_size(blocks_.count());
  if (words_) words_->step();
  if (words_ && words_->block().ids != ids_) contradict("words and their block differ in size");
  for (auto& each : columns_) each.column.step();
  blocks_.next();
  fetch();
  for (auto& each : columns_) select(each);
  combine();
  return true;
}

void Sweep::select(FacetColumn& facet) {
  facet.row.reset();
  if (facet.column.row) facet.row = facet.column.open(reader_, start_);
  if (facet.row && facet.row->ids() != ids_) contradict("a row and its block differ in size");
  fill(facet.words, ids_);
  for (const auto& term : facet.terms) {
    bool some = facet.row ? narrow(term, *facet.row, facet.words, scratch_) : !term.needs_value();
    if (some) continue;
    std::fill(facet.words.begin(), facet.words.end(), 0);
    return;
  }
}

// What all parts but one select is what those before it select, and those behind it. Words are part
// of each of them.
void Sweep::combine() {
  auto keep = [](Words& words, const Words& others) { keep_words(words, bytes_of(others)); };
  fill(scratch_, ids_);
  if (words_) scratch_ = words_->block().bits;
  for (auto& each : columns_) {
    each.others.words = scratch_;
    keep(scratch_, each.words);
  }
  fill(scratch_, ids_);
  for (auto each = columns_.rbegin(); each != columns_.rend(); ++each) {
    keep(each->others.words, scratch_);
    keep(scratch_, each->words);
    each->others.count = popcount(each->others.words);
  }
}

const Sweep::Chosen& Sweep::others(std::size_t i) const {
  return columns_[facets_[i]].others;
}

const std::optional<BlockRow>& Sweep::row(std::size_t i) const {
  return columns_[facets_[i]].row;
}

}  // namespace quire::bitmap_index
