// How many matches have each value of a facet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "bitmap_index/reading/sieve.h"
#include "loop/awaitable.h"
#include "model/counts.h"

namespace quire::bitmap_index {

struct CountedFacet {
  FacetNumber facet;
  FacetType type;
  // Whether each value is counted. A number may have many, of which only the extremes are wanted.
  bool values = true;
};

// Counts the values of each facet among the ids that match, in one scan of those that are not kept.
// Long work gives the other coroutines of the loop their turn. Throws as Reader.
Awaitable<std::vector<ValueCounts>> count_values(Reader& reader, const Selection& selection,
                                                 std::span<const CountedFacet> facets, Under under,
                                                 Work& work, Keeping keeping = {});

// Calls `use` with the block, the positions and the rests of matches whose number has this code.
template <class Use>
Awaitable<void> scan_rests(Reader& reader, Selection selection, FacetNumber by, Code code,
                           Work& work, Use use) {
  if (!selection.words.empty()) {
    auto blocks = reader.length() >> reader.databases().block_bits;
    co_await reader.asked(selection.words).ask_segments(blocks);
  }
  Sieve sieve(reader, selection);
  sieve.watch(by);
  std::uint64_t looked = 0;
  while (sieve.next()) {
    if (++looked % 16 == 0 && turn_is_over()) co_await next_turn();
    if (sieve.count() == 0) continue;
    auto row = sieve.watched(0);
    auto entry = row ? row->find(code) : 0;
    if (!row || entry == row->entries()) contradict("a block lacks a number");
    std::vector<Rest> rests;
    for (auto each : rests_of(*row, entry)) {
      if (has(sieve.words(), each.position)) rests.push_back(each);
    }
    use(sieve.start(), rests);
  }
  work.blocks += looked;
}

}  // namespace quire::bitmap_index
