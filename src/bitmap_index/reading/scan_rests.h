// Scans the numbers of one code.
#pragma once

#include <utility>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/sieve.h"
#include "loop/awaitable.h"
#include "loop/turn.h"

namespace quire::bitmap_index {

// Calls `use` with the block, the positions and the rests of matches whose number has this code.
template <class Use>
Awaitable<void> scan_rests(Reader& reader, Selection selection, FacetNumber by, Code code,
                           Work& work, Use use) {
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
