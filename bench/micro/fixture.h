// What the micro-benchmarks share: a store to read, and loops for work that is awaited.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cursor/cursor.h"
#include "loop/loop.h"
#include "model/filter.h"
#include "must.h"
#include "store/store.h"

namespace quire::bench {

// The product that `quire generate --products 1` makes.
inline const std::string product = "product-1";

inline Filter filter_of(std::vector<std::string> languages, std::vector<int> ratings) {
  return make_filter({.product = product, .languages = languages, .ratings = ratings}).value();
}

// Must live as long as the benchmarks run.
struct Fixture {
  std::unique_ptr<Store> store;
  Seal seal;
  Counts counts;             // of the product
  std::vector<Ulid> places;  // of comments, spread over the whole product in random order
};

// `directory` holds a store of generated comments. Throws if the store cannot be read.
Fixture open_fixture(const std::string& directory);

// Runs `work`, a function that returns an awaitable, as often as the benchmark asks.
template <class Work>
void loop(benchmark::State& state, Work work) {
  wait([&]() -> Awaitable<Done> {
    for (auto _ : state) co_await work();
    co_return Done{};
  }());
}

// Each function adds the benchmarks of its file. `fixture` must outlive their run.
void add_cursor_benchmarks(Fixture& fixture);
void add_plan_benchmarks(Fixture& fixture);
void add_merge_benchmarks();
void add_read_benchmarks(Fixture& fixture);
void add_page_benchmarks(Fixture& fixture);
void add_total_benchmarks(Fixture& fixture);
void add_render_benchmarks(Fixture& fixture);

}  // namespace quire::bench
