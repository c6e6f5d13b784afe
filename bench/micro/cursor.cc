// Sealing and opening a cursor.
#include "fixture.h"

namespace quire::bench {

void add_cursor_benchmarks(Fixture& fixture) {
  PageCursor cursor{.position = {.id = fixture.places.front()}, .fingerprint = 42};
  benchmark::RegisterBenchmark("cursor/seal", [&fixture, cursor](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(fixture.seal.seal(cursor));
  });
  benchmark::RegisterBenchmark(
      "cursor/open", [&fixture, token = fixture.seal.seal(cursor)](benchmark::State& state) {
        for (auto _ : state) benchmark::DoNotOptimize(must(fixture.seal.open(token)));
      });
}

}  // namespace quire::bench
