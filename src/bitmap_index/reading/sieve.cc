#include "bitmap_index/reading/sieve.h"

#include <algorithm>
#include <bit>

namespace quire::bitmap_index {

namespace {

// Calls `use` with the entry of each code that the row has.
template <class Use>
void for_codes(const BlockRow& row, const std::vector<Code>& codes, Use use) {
  for (auto code : codes) {
    auto entry = row.find(code);
    if (entry < row.entries()) use(entry);
  }
}

void add_range(const BlockRow& row, const NumberRange& range, Words& words) {
  auto entry = row.lower_bound(range.low.code);
  for (; entry < row.entries() && row.code(entry) <= range.high.code; ++entry) {
    auto code = row.code(entry);
    if (range.has({code, 0}) && range.has({code, max_rest(code)})) {
      row.add_to(words, entry);
      continue;
    }
    for (auto [position, rest] : rests_of(row, entry)) {
      if (range.has({code, rest})) words[position / 64] |= std::uint64_t{1} << position % 64;
    }
  }
}

// Keeps the bits that `add` sets, or with `others` the others. False: no bit is left.
template <class Add>
bool combine(Words& words, Words& scratch, bool others, Add add) {
  scratch.assign(words.size(), 0);
  add(scratch);
  return others ? remove_words(words, bytes_of(scratch)) : keep_words(words, bytes_of(scratch));
}

// Asks the processor to fetch a row that will be wanted soon.
void prefetch(const std::optional<std::string_view>& row) {
  for (std::size_t at = 0; row && at < row->size(); at += 64) __builtin_prefetch(row->data() + at);
}

}  // namespace

std::vector<Rest> rests_of(const BlockRow& row, std::size_t entry) {
  Words words(words_for(row.ids()));
  row.add_to(words, entry);
  std::vector<Rest> rests;
  rests.reserve(row.count(entry));
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (auto word = words[i]; word != 0; word &= word - 1) {
      auto position = i * 64 + static_cast<std::size_t>(std::countr_zero(word));
      rests.push_back({position, row.rest(entry, rests.size())});
    }
  }
  return rests;
}

bool narrow(const Term& term, const BlockRow& row, Words& words, Words& scratch) {
  bool left = true;
  auto keep = [&](std::size_t entry) { left = row.keep_in(words, entry); };
  auto drop = [&](std::size_t entry) { left = row.remove_from(words, entry); };
  if (term.any_of.size() == 1) {
    auto entry = row.find(term.any_of[0]);
    if (entry == row.entries()) return false;
    keep(entry);
  } else if (!term.any_of.empty()) {
    left = combine(words, scratch, false, [&](Words& some) {
      for_codes(row, term.any_of, [&](std::size_t entry) { row.add_to(some, entry); });
    });
  }
  for (auto code : term.all_of) {
    auto entry = row.find(code);
    if (entry == row.entries()) return false;
    keep(entry);
  }
  auto add_ranges = [&](const std::vector<NumberRange>& ranges) {
    return [&](Words& some) {
      for (const auto& range : ranges) add_range(row, range, some);
    };
  };
  if (!term.within.empty()) left = combine(words, scratch, false, add_ranges(term.within));
  if (!term.outside.empty()) left = combine(words, scratch, true, add_ranges(term.outside));
  for_codes(row, term.none_of, drop);
  for (std::size_t entry = 0; term.no_value && entry < row.entries(); ++entry) drop(entry);
  return left;
}

void fill(Words& words, std::size_t ids) {
  words.assign(words_for(ids), ~std::uint64_t{0});
  if (ids % 64 != 0) words.back() = (std::uint64_t{1} << ids % 64) - 1;
}

void Column::fetch(const Ulid& start) {
  rows->advance(start);
  next = rows->at(start) ? std::optional(rows->sealed()) : std::nullopt;
  prefetch(next);
}

BlockRow Column::open(Reader& reader, const Ulid& start) const {
  auto key = block_key(reader.product(), facet, start);
  BlockRow opened_row(opened(reader.databases().blocks, key, *row));
  if (opened_row.ids() == 0) contradict("a block has a row and no ids");
  return opened_row;
}

Sieve::Sieve(Reader& reader, const Selection& selection)
    : reader_(reader), nothing_(selection.nothing) {
  if (!nothing_ && !selection.words.empty()) asked_ = &reader.asked(selection.words);
  columns_.reserve(selection.terms.size());
  for (const auto& term : selection.terms) columns_.push_back({&term, 0, {}, {term.facet}});
}

std::uint64_t Sieve::max_matches() {
  if (max_matches_) return *max_matches_;
  auto most = nothing_ ? 0 : reader_.length();
  if (asked_ && most > 0) most = asked_->max_matches(most, most >> reader_.databases().block_bits);
  for (auto& each : columns_) {
    measure(each);
    most = std::min(most, each.most);
  }
  auto sharper = [](const TermColumn& a, const TermColumn& b) {
    return std::pair(!a.term->needs_value(), a.most) < std::pair(!b.term->needs_value(), b.most);
  };
  std::stable_sort(columns_.begin(), columns_.end(), sharper);
  return max_matches_.emplace(most);
}

// Finds few codes of which each selected id has one, if there are such.
void Sieve::measure(TermColumn& column) {
  constexpr std::size_t max_codes = 16;
  const auto& term = *column.term;
  column.most = reader_.length();
  auto take = [&](std::vector<Code> codes, std::uint64_t most) {
    if (most > column.most || (most == column.most && !column.codes.empty())) return;
    column.most = most;
    column.codes = std::move(codes);
  };
  std::uint64_t sum = 0;
  for (auto code : term.any_of) sum += reader_.length(term.facet, code);
  if (!term.any_of.empty()) take(term.any_of, sum);
  for (auto code : term.all_of) take({code}, reader_.length(term.facet, code));
  if (term.within.empty()) return;
  std::vector<Code> codes;
  sum = 0;
  for (const auto& range : term.within) {
    auto values = reader_.values(term.facet, range.low.code, range.high.code, max_codes);
    for (auto [code, ids] : values) {
      codes.push_back(code);
      sum += ids;
    }
    if (values.size() == max_codes) return;
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  take(std::move(codes), sum);
}

// Few ids are in few groups: worth finding where they are fewer than the groups.
void Sieve::find_groups() {
  const auto& bits = reader_.databases();
  auto groups = reader_.length() >> (bits.block_bits + bits.group_bits);
  if (columns_.empty() || reader_.height() < 2 || columns_[0].codes.empty()) return;
  if (columns_[0].most > groups) return;
  std::vector<Ulid> starts;
  for (auto code : columns_[0].codes) {
    auto rows = reader_.counts(columns_[0].column.facet, code, 1);
    for (rows.seek({}); rows.there(); rows.next()) starts.push_back(rows.start());
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  groups_.emplace();
  auto all = reader_.counts(every_id, 0, 1);
  for (const auto& start : starts) {
    all.seek(start);
    if (!all.at(start)) contradict("a value has a group that no id starts");
    all.next();
    groups_->push_back({start, all.there() ? std::optional(all.start()) : std::nullopt});
  }
}

void Sieve::watch(FacetNumber facet) {
  watched_.emplace_back(facet);
}

std::optional<BlockRow> Sieve::watched(std::size_t i) const {
  if (!watched_[i].row) return {};
  auto row = watched_[i].open(reader_, start_);
  if (row.ids() != words_ids_) contradict("two rows of a block differ in its size");
  return row;
}

void Sieve::begin() {
  begun_ = true;
  for (auto& each : columns_) each.column.begin(reader_);
  for (auto& column : watched_) column.begin(reader_);
  find_groups();
  words_lead_ = asked_ && !groups_;
  if (asked_) words_column_.emplace(*asked_).rows().seek({});
  if (!words_lead_ && (columns_.empty() || !columns_[0].term->needs_value()))
    every_.emplace(reader_.counts(every_id, 0, 0)).seek({});
  fetch();
}

Rows& Sieve::leading() {
  if (words_lead_) return words_column_->rows();
  return every_ ? *every_ : *columns_[0].column.rows;
}

bool Sieve::next() {
  if (max_matches() == 0) return false;
  if (!begun_) begin();
  if (!next_) return false;
  start_ = *next_;
  if (words_column_) words_column_->step();
  for (auto& each : columns_) each.column.step();
  for (auto& column : watched_) column.step();
  leading().next();
  fetch();
  count_ = filter() ? popcount(words_) : 0;
  return true;
}

// Finds the rows of the next block, and lets them come while the present one is looked at: most of
// the time would be waiting for memory.
void Sieve::fetch() {
  next_.reset();
  if (!fetch_words()) return;
  next_ = leading().start();
  for (auto& each : columns_) each.column.fetch(*next_);
  for (auto& column : watched_) column.fetch(*next_);
}

// Moves to the next block, and looks at its words: over some blocks that have none, if these lead.
// False: there are no more blocks.
bool Sieve::fetch_words() {
  constexpr int at_once = 256;  // blocks
  for (int passed = 0; lead(); ++passed) {
    if (!words_column_) return true;
    bool some = words_column_->fetch(leading().start());
    if (some || !words_lead_ || passed == at_once) return true;
    leading().next();
  }
  if (words_lead_ && words_column_->ids_passed() != reader_.length())
    contradict("other ids have words than there are");
  return false;
}

// Moves what leads over the blocks between the groups. False: there are no more blocks.
bool Sieve::lead() {
  while (groups_ && leading().there()) {
    while (group_ < groups_->size() && (*groups_)[group_].end &&
           *(*groups_)[group_].end <= leading().start())
      ++group_;
    if (group_ == groups_->size()) return false;
    if ((*groups_)[group_].start <= leading().start()) return true;
    leading().seek((*groups_)[group_].start);
  }
  return leading().there();
}

void Sieve::move_to(const Ulid& start) {
  if (words_ids_ > 0 && start == start_) return;
  start_ = start;
  if (asked_) {
    if (!words_column_) words_column_.emplace(*asked_);
    words_column_->move_to(start);
  }
  for (auto& each : columns_) {
    each.column.row = reader_.sealed_row(each.column.facet, start);
    prefetch(each.column.row);
  }
  count_ = filter() ? popcount(words_) : 0;
}

// Whether some ids of the present block match. Sets the words.
bool Sieve::filter() {
  words_ids_ = 0;
  if (asked_) {
    const auto& block = words_column_->block();
    if (!block.some) return false;
    words_ = block.bits;
    words_ids_ = block.ids;
  }
  for (auto& each : columns_) {
    if (!each.column.row) {
      if (each.term->needs_value()) return false;
      continue;
    }
    auto row = each.column.open(reader_, start_);
    if (words_ids_ == 0) {
      words_ids_ = row.ids();
      fill(words_, words_ids_);
    }
    if (row.ids() != words_ids_) contradict("two rows of a block differ in its size");
    if (!narrow(*each.term, row, words_, scratch_)) return false;
  }
  if (words_ids_ > 0) return true;
  words_ids_ = reader_.block(start_).ids;
  fill(words_, words_ids_);
  return words_ids_ > 0;
}

}  // namespace quire::bitmap_index
