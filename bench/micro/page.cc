// A page through the service, the way of a request: from the query to rows and cursors.
#include <span>

#include "fixture.h"
#include "listing/bitmap/indexed.h"
#include "service/comments.h"

namespace quire::bench {
namespace {

void page(benchmark::State& state, Fixture& fixture, Query query) {
  Comments comments(*fixture.store, bitmap::listings(), Seal({Seal::Key{1, 2, 3}}));
  loop(state, [&]() -> Awaitable<void> {
    auto found = must(co_await comments.page(query));
    benchmark::DoNotOptimize(found);
  });
}

// Pages behind cursors, in turn at each of the `places`.
void page_after(benchmark::State& state, Fixture& fixture, std::span<const Ulid> places) {
  Comments comments(*fixture.store, bitmap::listings(), Seal({Seal::Key{1, 2, 3}}));
  std::vector<std::string> cursors;
  for (const auto& place : places) {
    cursors.push_back(fixture.seal.seal(
        {.position = {.id = place}, .fingerprint = fingerprint(filter_of({}, {}))}));
  }
  std::size_t turn = 0;
  loop(state, [&]() -> Awaitable<void> {
    Query query{.product = product, .after = cursors[turn++ % cursors.size()]};
    auto found = must(co_await comments.page(query));
    benchmark::DoNotOptimize(found);
  });
}

}  // namespace

void add_page_benchmarks(Fixture& fixture) {
  auto add = [&](const char* name, Query query) {
    query.product = product;
    benchmark::RegisterBenchmark(
        name, [&fixture, query](benchmark::State& state) { page(state, fixture, query); });
  };
  add("page/first", {});
  add("page/first of 100", {.limit = 100});
  add("page/rating 5", {.ratings = {5}});
  add("page/rating 1 4 5", {.ratings = {1, 4, 5}});
  // Three of four generated comments have one of the two ratings.
  auto middle = [&](double share) {
    return static_cast<std::uint64_t>(static_cast<double>(fixture.counts.total()) * share / 40) + 1;
  };
  add("page/in the middle", {.page = middle(1)});
  add("page/rating 4 5", {.ratings = {4, 5}});
  add("page/rating 4 5, in the middle", {.ratings = {4, 5}, .page = middle(0.75)});
  add("page/sort by rating", {.sort = Sort::highest});
  add("page/sort by rating, in the middle", {.sort = Sort::highest, .page = middle(1)});
  add("page/language ar es ja", {.languages = {"ar", "es", "ja"}});
  add("page/3 languages, 4 ratings", {.languages = {"de", "en", "fr"}, .ratings = {1, 2, 4, 5}});
  auto add_after = [&](const char* name, std::size_t places) {
    benchmark::RegisterBenchmark(name, [&fixture, places](benchmark::State& state) {
      page_after(state, fixture, std::span(fixture.places).first(places));
    });
  };
  add_after("page/by cursor, the same one", 1);
  add_after("page/by cursor, random ones", fixture.places.size());
}

}  // namespace quire::bench
