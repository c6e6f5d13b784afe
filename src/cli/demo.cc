#include "cli/demo.h"

#include <utility>

#include "base/try.h"
#include "cli/generator/demo.h"
#include "loop/loop.h"
#include "service/importer.h"
#include "store/moderation_view.h"
#include "store/ports.h"

namespace quire::cli {

Awaitable<Status> declare_missing(Store& store, std::vector<Facet> wanted) {
  auto* facets = store.facets();
  if (!facets) co_return no_facets();
  CO_TRY(auto schema, co_await store.view()->schema());
  for (auto& facet : wanted) {
    if (schema->find(facet.name)) continue;
    CO_TRY_DONE(co_await facets->declare(std::move(facet)));
  }
  co_return Done{};
}

namespace {

Awaitable<Result<bool>> has_nothing(Store& store) {
  auto view = store.view();
  CO_TRY(auto names, co_await view->names("", 1));
  if (!names.empty()) co_return false;
  auto* moderation = view->moderation();
  if (!moderation) co_return true;
  QueueQuestion question{.limit = 1};
  CO_TRY(auto page, co_await moderation->queue(std::move(question)));
  co_return page.rows.empty();
}

}  // namespace

Result<bool> is_empty(Store& store) {
  return wait(has_nothing(store));
}

Result<FilledDemo> fill_demo(Store& store) {
  auto [facets, products, comments, reports] = make_demo();
  TRY_DONE(wait(declare_missing(store, std::move(facets))));
  if (auto* words = store.words()) TRY_DONE(wait(words->add_words()));
  if (!store.facts()) return no_facts();
  TRY_DONE(wait(store.facts()->put_facts(std::move(products))));
  FilledDemo filled{.known = comments.size()};
  TRY(filled.added, wait(store.insert_many(std::move(comments))));
  filled.known -= filled.added;
  // A moderator may have answered those that are there, or removed their comments.
  if (filled.added > 0) TRY_DONE(keep_reports(store, std::move(reports)));
  return filled;
}

Awaitable<std::string> busiest_product(Store& store) {
  auto view = store.view();
  auto best = co_await view->leaders(Leaders::five_star, any, 1);
  if (!best || best->empty()) co_return std::string();
  co_return best->front().product;
}

}  // namespace quire::cli
