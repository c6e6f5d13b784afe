// Merging lists that are in memory into a page of 20.
#include "merge/merge.h"

#include <fmt/format.h>

#include "fixture.h"

namespace quire::bench {
namespace {

constexpr std::size_t rows = 21;  // one more than are shown, to know whether there are more

// The newest entries of `lists` lists that share all comments evenly.
std::vector<std::vector<Entry>> interleaved(std::size_t lists) {
  std::vector<std::vector<Entry>> out(lists);
  for (std::size_t i = 0; i < rows + 2 * lists; ++i)
    out[i % lists].push_back({Ulid::make(1'000'000 - i, {}), "document"});
  return out;
}

void merge(benchmark::State& state, std::size_t lists) {
  auto entries = interleaved(lists);
  for (auto _ : state) {
    Merge merge(lists, Order::newest_first, {}, rows, {});
    for (auto list : merge.advance()) merge.feed(list, {entries[list], true});
    benchmark::DoNotOptimize(merge.advance());
    if (merge.rows().size() != rows) throw std::logic_error("the merge is short of rows");
  }
}

}  // namespace

void add_merge_benchmarks() {
  for (std::size_t lists : {1, 4, 20}) {
    auto name = fmt::format("merge/lists:{}", lists);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [lists](benchmark::State& state) { merge(state, lists); });
  }
}

}  // namespace quire::bench
