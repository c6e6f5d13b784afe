// What a term selects within a block.
#include <algorithm>
#include <bit>

#include "bitmap_index/reading/sieve.h"

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

}  // namespace quire::bitmap_index
