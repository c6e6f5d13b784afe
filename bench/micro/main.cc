// The cost of single steps of a request, without HTTP. QUIRE_BENCH_STORE names the directory of a
// store made by `quire generate --products 1`; bench/run micro makes one, and reads the results.
#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

#include "fixture.h"

int main(int argc, char** argv) {
  using namespace quire::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const char* directory = std::getenv("QUIRE_BENCH_STORE");
  if (!directory) {
    fmt::print(stderr, "Name a store's directory in QUIRE_BENCH_STORE, or use bench/run micro.\n");
    return 2;
  }
  try {
    Fixture fixture = open_fixture(directory);
    add_cursor_benchmarks(fixture);
    add_plan_benchmarks(fixture);
    add_merge_benchmarks();
    add_read_benchmarks(fixture);
    add_page_benchmarks(fixture);
    add_total_benchmarks(fixture);
    add_render_benchmarks(fixture);
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 1;
  }
  return 0;
}
