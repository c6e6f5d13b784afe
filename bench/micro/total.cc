// How many comments a filter selects, found anew each time: nothing is kept between the questions.
#include <utility>

#include "bitmap_index/reading/asked_words.h"
#include "bitmap_index/reading/matches.h"
#include "fixture.h"
#include "model/schema.h"
#include "store/views.h"

namespace quire::bench {
namespace {

void total(benchmark::State& state, Fixture& fixture, const Query& query) {
  auto schema = must(wait(fixture.store->view()->schema()));
  auto filter = must(make_filter(query, *schema));
  loop(state, [&]() -> Awaitable<void> {
    auto view = fixture.store->view();
    auto source = must(bitmaps_of(*view, product)).value();
    auto& reader = *source.reader;
    auto stemmers = filter.words.empty() ? 0 : reader.asked(filter.words).stemmers();
    bitmap_index::Question question{bitmap_index::selection_of(source.hash_key, filter, stemmers)};
    bitmap_index::Matches matches(reader, std::move(question), {});
    auto found = co_await matches.total();
    benchmark::DoNotOptimize(found);
  });
}

// Generated comments have further facets and words only if somebody added them to the store.
bool has_facet(Fixture& fixture, std::string_view name) {
  auto view = fixture.store->view();
  return must(wait(view->schema()))->find(name) != nullptr;
}

bool has_words(Fixture& fixture) {
  auto view = fixture.store->view();
  auto* bitmaps = view->bitmap_view();
  return bitmaps && must(bitmaps->words()) == word_index::State::ready;
}

}  // namespace

void add_total_benchmarks(Fixture& fixture) {
  auto add = [&](const char* name, Query query) {
    query.product = product;
    benchmark::RegisterBenchmark(
        name, [&fixture, query](benchmark::State& state) { total(state, fixture, query); });
  };
  add("total/a rating and a language", {.languages = {"en"}, .ratings = {5}});
  if (!has_facet(fixture, "verified")) return;
  const std::vector<FacetFilter> verified{{.facet = "verified", .any_of = {"true"}}};
  add("total/two facets", {.ratings = {4, 5}, .facets = verified});
  if (!has_words(fixture)) return;
  add("total/a word", {.words = "battery"});
  add("total/two words", {.words = "battery week"});
  add("total/two words, two facets",
      {.ratings = {4, 5}, .facets = verified, .words = "battery week"});
}

}  // namespace quire::bench
