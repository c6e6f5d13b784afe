#include "bitmap_index/reading/counts.h"

#include <algorithm>

#include "bitmap_index/numbers.h"
#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/sweep.h"

namespace quire::bitmap_index {
namespace {

// Counts one facet, block by block.
class Counter {
 public:
  Counter(const CountedFacet& facet, ValueCounts& counts) : facet_(facet), counts_(counts) {}

  // Counts the ids in `words`, which are `matches`. `found`: the row of the facet in the block;
  // absent: no id has a value.
  void add(const Words& words, std::size_t matches, const std::optional<BlockRow>& found) {
    counts_.total += matches;
    if (!found || matches == 0) return;
    const auto& row = *found;
    auto sum = facet_.values ? count_values_of(row, words, matches) : 0;
    bool once = facet_.values && facet_.type != FacetType::tags;
    counts_.ids += once ? sum : count_ids_of(row, words, matches);
    if (facet_.type == FacetType::number) widen(row, words);
  }

  void finish() {
    if (least_) counts_.extremes = {decode_number(*least_), decode_number(*greatest_)};
  }

 private:
  using Values = std::vector<ValueCount>;

  // Codes come in order, and mostly the same ones in each block. A count of 0 is added to a known
  // code, too: whether it is 0, no processor can predict.
  void add(Code code, std::uint64_t count) {
    auto end = counts_.values.end();
    if (at_ != end && at_->code < code) at_ = std::lower_bound(at_, end, code, is_below);
    if (at_ != end && at_->code == code)
      at_++->ids += count;
    else if (count > 0)
      fresh_.push_back({code, count});
  }

  // Merges the codes that no block had before.
  void merge_fresh() {
    if (fresh_.empty()) return;
    auto& values = counts_.values;
    auto known = static_cast<std::ptrdiff_t>(values.size());
    values.insert(values.end(), fresh_.begin(), fresh_.end());
    std::inplace_merge(
        values.begin(), values.begin() + known, values.end(),
        [](const ValueCount& a, const ValueCount& b) { return is_below(a, b.code); });
    fresh_.clear();
  }
  static bool is_below(const ValueCount& value, Code code) { return value.code < code; }

  // Returns the sum of the counts.
  std::size_t count_values_of(const BlockRow& row, const Words& words, std::size_t matches) {
    bool all = matches == row.ids(), several = facet_.type == FacetType::tags;
    std::size_t sum = 0;
    at_ = counts_.values.begin();
    // An id has one value, unless the facet has tags. So the last match ends the search.
    for (std::size_t entry = 0; entry < row.entries() && (several || sum < matches); ++entry) {
      auto count = all ? row.count(entry) : row.count_in(words, entry);
      add(row.code(entry), count);
      sum += count;
    }
    merge_fresh();
    return sum;
  }

  // How many of the matches have a value.
  std::size_t count_ids_of(const BlockRow& row, const Words& words, std::size_t matches) const {
    std::size_t sum = 0;
    for (std::size_t entry = 0; entry < row.entries(); ++entry) sum += row.count(entry);
    if (facet_.type != FacetType::tags && sum == row.ids()) return matches;
    Words some(words_for(row.ids()));
    for (std::size_t entry = 0; entry < row.entries(); ++entry) row.add_to(some, entry);
    return count_common(words, bytes_of(some));
  }

  // Looks at the least and the greatest numbers of the block's matches, as far as they may be
  // those of all.
  void widen(const BlockRow& row, const Words& words) {
    for (std::size_t entry = 0; entry < row.entries(); ++entry) {
      if ((least_ && least_->code < row.code(entry)) || take(row, entry, words)) break;
    }
    for (auto entry = row.entries(); entry-- > 0;) {
      if ((greatest_ && row.code(entry) < greatest_->code) || take(row, entry, words)) break;
    }
  }

  // Whether matches have the code.
  bool take(const BlockRow& row, std::size_t entry, const Words& words) {
    auto code = row.code(entry);
    auto add = [&](std::uint64_t rest) {
      NumberCode number{code, rest};
      if (!least_ || number < *least_) least_ = number;
      if (!greatest_ || *greatest_ < number) greatest_ = number;
    };
    if (row.count_in(words, entry) == 0) return false;
    if (max_rest(code) == 0) {
      add(0);
      return true;
    }
    for (auto [position, rest] : rests_of(row, entry)) {
      if (has(words, position)) add(rest);
    }
    return true;
  }

  const CountedFacet facet_;
  ValueCounts& counts_;
  Values::iterator at_;  // the value to go on with
  Values fresh_;         // of the block
  std::optional<NumberCode> least_, greatest_;
};

// A scan counts the facets that are under the same selection.
struct Scan {
  Selection selection;
  std::vector<std::size_t> facets;
};

std::vector<Scan> scans_of(const Selection& selection, std::span<const CountedFacet> facets,
                           Under under) {
  std::vector<Scan> scans;
  for (std::size_t i = 0; i < facets.size(); ++i) {
    auto rest = under == Under::other_facets ? selection.without(facets[i].facet) : selection;
    auto same = std::find_if(scans.begin(), scans.end(),
                             [&](const Scan& scan) { return scan.selection == rest; });
    if (same == scans.end()) same = scans.insert(scans.end(), Scan{std::move(rest), {}});
    same->facets.push_back(i);
  }
  return scans;
}

Awaitable<void> run(Reader& reader, const Scan& scan, std::span<const CountedFacet> facets,
                    std::vector<ValueCounts>& counts, Work& work) {
  Sieve sieve(reader, scan.selection);
  std::vector<Counter> counters;
  for (auto i : scan.facets) {
    counters.emplace_back(facets[i], counts[i]);
    sieve.watch(facets[i].facet);
  }
  std::uint64_t looked = 0;
  while (sieve.next()) {
    for (std::size_t i = 0; sieve.count() > 0 && i < counters.size(); ++i)
      counters[i].add(sieve.words(), sieve.count(), sieve.watched(i));
    ++looked;
    if (turn_is_over()) co_await next_turn();
  }
  for (auto& counter : counters) counter.finish();
  work.blocks += looked;
}

// Whether the scans together look at most blocks, for which one sweep is cheaper. Few matches are
// in few blocks, and a sieve finds these.
bool is_wide(Reader& reader, const std::vector<Scan>& scans) {
  auto blocks = reader.length() >> reader.databases().block_bits;
  return scans.size() > 1 && std::any_of(scans.begin(), scans.end(), [&](const Scan& scan) {
           return Sieve(reader, scan.selection).max_matches() > blocks;
         });
}

// Counts each facet under the terms of the others, in one pass.
Awaitable<void> sweep(Reader& reader, const Selection& selection, const std::vector<Scan>& scans,
                      std::span<const CountedFacet> facets, std::vector<ValueCounts>& counts,
                      Work& work) {
  std::vector<Counter> counters;
  std::vector<FacetNumber> counted;
  for (const auto& scan : scans) {
    for (auto i : scan.facets) {
      counters.emplace_back(facets[i], counts[i]);
      counted.push_back(facets[i].facet);
    }
  }
  Sweep blocks(reader, selection, counted);
  while (blocks.next()) {
    for (std::size_t i = 0; i < counters.size(); ++i)
      counters[i].add(blocks.others(i).words, blocks.others(i).count, blocks.row(i));
    ++work.blocks;
    if (turn_is_over()) co_await next_turn();
  }
  for (auto& counter : counters) counter.finish();
}

// The least and the greatest number of a code.
Awaitable<std::pair<std::int64_t, std::int64_t>> ends_of(Reader& reader, FacetNumber facet,
                                                         Code code, Work& work) {
  std::uint64_t least = max_rest(code), greatest = 0;
  auto widen = [&](const Ulid&, const std::vector<Rest>& rests) {
    for (auto each : rests) {
      least = std::min(least, each.rest);
      greatest = std::max(greatest, each.rest);
    }
  };
  if (max_rest(code) > 0) {
    Selection selection{{{.facet = facet, .any_of = {code}}}};
    co_await scan_rests(reader, std::move(selection), facet, code, work, widen);
  }
  co_return std::pair(decode_number({code, least}), decode_number({code, greatest}));
}

// The values of all ids, which may be many.
Awaitable<std::vector<ValueCount>> values_of_all(Reader& reader, FacetNumber facet) {
  constexpr std::size_t at_once = 2048;
  constexpr Code last = ~Code{0};
  std::vector<ValueCount> values;
  for (Code from = 0;; from = values.back().code + 1) {
    auto some = reader.values(facet, from, last, at_once);
    values.insert(values.end(), some.begin(), some.end());
    if (some.size() < at_once || values.back().code == last) co_return values;
    if (turn_is_over()) co_await next_turn();
  }
}

// Without a selection the levels have the counts.
Awaitable<ValueCounts> count_all(Reader& reader, const CountedFacet& facet, Work& work) {
  ValueCounts counts;
  counts.values = co_await values_of_all(reader, facet.facet);
  counts.total = reader.length();
  for (auto [code, ids] : counts.values) counts.ids += ids;
  if (facet.type == FacetType::number && !counts.values.empty()) {
    auto first = counts.values.front().code, last = counts.values.back().code;
    auto low = co_await ends_of(reader, facet.facet, first, work);
    auto high = low;
    if (first != last) high = co_await ends_of(reader, facet.facet, last, work);
    counts.extremes.emplace(low.first, high.second);
  }
  if (!facet.values) counts.values.clear();
  co_return counts;
}

}  // namespace

Awaitable<std::vector<ValueCounts>> count_values(Reader& reader, const Selection& selection,
                                                 std::span<const CountedFacet> facets, Under under,
                                                 Work& work, Keeping keeping) {
  std::vector<ValueCounts> counts(facets.size());
  if (selection.nothing || reader.length() == 0) co_return counts;
  if (reader.height() == 0) keeping.totals = nullptr;  // one block is counted at once
  auto scans = scans_of(selection, facets, under);
  std::vector<std::pair<std::size_t, Subject>> missing;
  for (auto& scan : scans) {
    auto kept = [&](std::size_t i) {
      if (!keeping.totals) return false;
      auto of = facets[i].values ? Subject::Of::values : Subject::Of::extremes;
      Subject subject{scan.selection, facets[i].facet, of};
      auto found = keeping.totals->find(reader.product(), subject, keeping.generation);
      if (found) counts[i] = std::get<ValueCounts>(*found);
      if (!found) missing.emplace_back(i, std::move(subject));
      return found != nullptr;
    };
    std::erase_if(scan.facets, kept);
    // Of tags the levels do not tell how many ids have some.
    auto counted = [&](std::size_t i) {
      return scan.selection.selects_all() && facets[i].type != FacetType::tags;
    };
    for (auto i : scan.facets) {
      if (counted(i)) counts[i] = co_await count_all(reader, facets[i], work);
    }
    std::erase_if(scan.facets, counted);
  }
  std::erase_if(scans, [](const Scan& scan) { return scan.facets.empty(); });
  if (!scans.empty() && !selection.words.empty()) {
    auto blocks = reader.length() >> reader.databases().block_bits;
    co_await reader.asked(selection.words).ask_segments(blocks);
  }
  if (is_wide(reader, scans)) {
    co_await sweep(reader, selection, scans, facets, counts, work);
  } else {
    for (const auto& scan : scans) co_await run(reader, scan, facets, counts, work);
  }
  for (std::size_t i = 0; i < facets.size(); ++i) counts[i].each = facets[i].values;
  for (const auto& [i, subject] : missing)
    keeping.totals->keep(reader.product(), subject, keeping.generation, counts[i]);
  co_return counts;
}

}  // namespace quire::bitmap_index
