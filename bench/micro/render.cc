// A page that was found becomes an answer: JSON, or the web page.
#include "fixture.h"
#include "http/api/json.h"
#include "http/html/html.h"
#include "listing/bitmap/indexed.h"
#include "service/comments.h"

namespace quire::bench {
namespace {

Awaitable<FoundPage> find(Comments& comments, const Query& query) {
  auto found = co_await comments.page(query, Links::by_number);
  co_return must(std::move(found));
}

// A page with all that the web page shows.
struct Found {
  explicit Found(Fixture& fixture)
      : comments(*fixture.store, bitmap::listings(), Seal({Seal::Key{1, 2, 3}})),
        page(wait(find(comments, query))) {
    for (const auto& facet : page.schema->facets()) facets.push_back(facet.status);
  }

  Query query{.product = product, .counts = true};
  Comments comments;
  FoundPage page;
  std::vector<FacetStatus> facets;
};

void json(benchmark::State& state, Fixture& fixture) {
  Found found(fixture);
  std::string spare;
  loop(state, [&]() -> Awaitable<void> {
    spare = co_await http::page_json(found.page, found.query, std::move(spare));
    benchmark::DoNotOptimize(spare);
    spare.clear();
  });
}

void decoded(benchmark::State& state, Fixture& fixture) {
  Found found(fixture);
  loop(state, [&]() -> Awaitable<void> {
    auto shown = co_await http::shown_comments(found.page, nullptr);
    benchmark::DoNotOptimize(shown);
  });
}

void web_page(benchmark::State& state, Fixture& fixture) {
  Found found(fixture);
  http::Html html(false, nullptr);
  auto look = html.look();
  auto comments = wait(http::shown_comments(found.page, nullptr));
  std::string spare;
  for (auto _ : state) {
    http::ShownPage shown{found.query, found.page,       comments,      found.facets,
                          {},          look.links("42"), &look.texts(), &look.zone()};
    spare = html.comments(look, shown, "https://shop.example", std::move(spare)).body;
    benchmark::DoNotOptimize(spare);
    spare.clear();
  }
}

}  // namespace

void add_render_benchmarks(Fixture& fixture) {
  auto add = [&](const char* name, auto* run) {
    benchmark::RegisterBenchmark(name,
                                 [&fixture, run](benchmark::State& state) { run(state, fixture); });
  };
  add("render/JSON of 20", json);
  add("render/comments of 20, decoded", decoded);
  add("render/web page of 20, of decoded comments", web_page);
}

}  // namespace quire::bench
