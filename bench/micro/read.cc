// Reading entries with their documents: of `all`, whose comments lie side by side, and of a list.
#include <fmt/format.h>

#include "fixture.h"
#include "model/facets.h"

namespace quire::bench {
namespace {

void read(benchmark::State& state, Fixture& fixture, const Cell& list, std::size_t limit,
          bool at_random) {
  auto view = fixture.store->view();
  std::size_t turn = 0;
  loop(state, [&]() -> Awaitable<void> {
    Range range{list, {}, limit};
    if (at_random) range.after = fixture.places[turn++ % fixture.places.size()];
    auto slices = must(co_await view->read(product, Order::newest_first, {&range, 1}, true));
    benchmark::DoNotOptimize(slices);
  });
}

}  // namespace

void add_read_benchmarks(Fixture& fixture) {
  Cell five{};
  five[rating_facet] = cell("en", 5)[rating_facet];
  for (bool at_random : {false, true}) {
    for (std::size_t limit : {1, 21, 101}) {
      for (const auto& [name, list] : {std::pair("all", Cell{}), std::pair("rating 5", five)}) {
        auto full =
            fmt::format("read/{}/entries:{}/{}", name, limit, at_random ? "random" : "first");
        benchmark::RegisterBenchmark(
            full.c_str(), [&fixture, list = list, limit, at_random](benchmark::State& state) {
              read(state, fixture, list, limit, at_random);
            });
      }
    }
  }
}

}  // namespace quire::bench
