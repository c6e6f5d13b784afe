// Reading the comments of a product, which lie side by side, with their documents.
#include <fmt/format.h>

#include "fixture.h"

namespace quire::bench {
namespace {

void read(benchmark::State& state, Fixture& fixture, std::size_t limit, bool at_random) {
  auto view = fixture.store->view();
  std::size_t turn = 0;
  loop(state, [&]() -> Awaitable<void> {
    std::optional<Ulid> after;
    if (at_random) after = fixture.places[turn++ % fixture.places.size()];
    auto slice = must(co_await view->comments(product, Order::newest_first, after, limit));
    benchmark::DoNotOptimize(slice);
  });
}

}  // namespace

void add_read_benchmarks(Fixture& fixture) {
  for (bool at_random : {false, true}) {
    for (std::size_t limit : {1, 21, 101}) {
      auto name = fmt::format("read/entries:{}/{}", limit, at_random ? "random" : "first");
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&fixture, limit, at_random](benchmark::State& state) {
                                     read(state, fixture, limit, at_random);
                                   });
    }
  }
}

}  // namespace quire::bench
