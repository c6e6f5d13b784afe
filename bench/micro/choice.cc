// Every way to answer a filter, followed to its end: beside the planner's estimates, these
// figures give the constants of the embedded store's cost model, and show what a wrong choice
// would cost. bench/suites/micro.mjs computes both.
#include <fmt/format.h>

#include "fixture.h"
#include "listing/lists/gather.h"
#include "plan/plan.h"

namespace quire::bench {
namespace {

struct Case {
  const char* name;
  Filter filter;
};

// The plan with `choice` for the cheapest. The others stay: gather falls back on one of them.
Plan preferring(Plan plan, std::size_t choice) {
  std::swap(plan.choices[0], plan.choices[choice]);
  return plan;
}

void follow(benchmark::State& state, Fixture& fixture, const Plan& plan, std::size_t wanted,
            bool at_random) {
  auto view = fixture.store->view();
  std::size_t turn = 0;
  std::size_t changed = 0;
  loop(state, [&]() -> Awaitable<void> {
    lists::Span span{Order::newest_first, {}, wanted};
    if (at_random) span.after = fixture.places[turn++ % fixture.places.size()];
    auto found = must(co_await lists::gather(*view, plan, span));
    must(co_await view->documents(product, found.rows));
    changed += found.changed_plan;
    benchmark::DoNotOptimize(found);
  });
  state.counters["lists"] = static_cast<double>(plan.chosen().lists.size());
  state.counters["entries"] = plan.chosen().entries;
  state.counters["estimated"] = plan.chosen().cost;
  state.counters["changed"] = static_cast<double>(changed);
}

void add(Fixture& fixture, const Case& each, std::size_t wanted, bool at_random) {
  Plan plan = make_plan(each.filter, fixture.counts, wanted, fixture.store->costs());
  for (std::size_t i = 0; i < plan.choices.size(); ++i) {
    auto name = fmt::format("choice/{}/rows:{}/{}/{}", each.name, wanted,
                            at_random ? "random" : "first", plan.choices[i].index->name);
    benchmark::RegisterBenchmark(name.c_str(), [&fixture, plan = preferring(plan, i), wanted,
                                                at_random](benchmark::State& state) {
      follow(state, fixture, plan, wanted, at_random);
    });
  }
}

}  // namespace

void add_choice_benchmarks(Fixture& fixture) {
  const std::vector<Case> cases = {
      {"no filter", filter_of({}, {})},
      {"rating 5", filter_of({}, {5})},
      {"rating 4", filter_of({}, {4})},
      {"rating 2", filter_of({}, {2})},
      {"rating 4 5", filter_of({}, {4, 5})},
      {"rating 1 2", filter_of({}, {1, 2})},
      {"rating 1 2 3", filter_of({}, {1, 2, 3})},
      {"rating 1 4 5", filter_of({}, {1, 4, 5})},
      {"language en", filter_of({"en"}, {})},
      {"language de fr", filter_of({"de", "fr"}, {})},
      {"language ar es ja", filter_of({"ar", "es", "ja"}, {})},
      {"language en rating 5", filter_of({"en"}, {5})},
      {"language de en rating 4 5", filter_of({"de", "en"}, {4, 5})},
      {"language de en fr rating 1 2 4 5", filter_of({"de", "en", "fr"}, {1, 2, 4, 5})},
      {"language he rating 2", filter_of({"he"}, {2})},
  };
  for (const auto& each : cases) {
    for (std::size_t wanted : {21, 101}) {
      for (bool at_random : {false, true}) add(fixture, each, wanted, at_random);
    }
  }
}

}  // namespace quire::bench
