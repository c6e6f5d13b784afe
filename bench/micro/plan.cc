// Making a plan.
#include "plan/plan.h"

#include "fixture.h"

namespace quire::bench {

void add_plan_benchmarks(Fixture& fixture) {
  auto add = [&](const char* name, Filter filter) {
    benchmark::RegisterBenchmark(name, [&fixture, filter](benchmark::State& state) {
      for (auto _ : state)
        benchmark::DoNotOptimize(make_plan(filter, fixture.counts, 21, fixture.store->costs()));
    });
  };
  add("plan/no filter", filter_of({}, {}));
  add("plan/3 ratings", filter_of({}, {1, 4, 5}));
  add("plan/3 languages, 4 ratings", filter_of({"de", "en", "fr"}, {1, 2, 4, 5}));
}

}  // namespace quire::bench
