// What is said of a product as a whole, and of products beside each other.
#include <map>

#include "model/document.h"
#include "service/comments.h"
#include "service/gather.h"

namespace quire {
namespace {

constexpr int max_damaged = 100;  // that are passed over for the newest whole comment

// The newest comment's document, under the filter and with one of these ratings.
Awaitable<Result<std::string_view>> newest(View& view, Filter filter, const Counts& counts,
                                           std::vector<FacetValue> ratings,
                                           const CostModel& costs) {
  filter.values[rating_facet] = std::move(ratings);
  Plan plan = make_plan(filter, counts, 1, costs);
  std::optional<Ulid> after;
  for (int i = 0; i < max_damaged; ++i) {
    auto found = co_await gather(view, plan, {Order::newest_first, after, 1});
    if (!found) co_return found.error();
    if (found->rows.empty()) break;
    auto complete = co_await view.documents(filter.product, found->rows);
    if (!complete) co_return complete.error();
    const Entry& row = found->rows.front();
    if (!is_damaged(row.document)) co_return row.document;
    after = row.id;
  }
  co_return std::string_view();
}

void count(Statistics& statistics, const Counts& counts, const Filter& filter) {
  std::map<FacetValue, std::uint64_t> languages;
  for (const auto& row : counts.rows()) {
    if (!filter.matches(row.cell)) continue;
    statistics.ratings[row.cell[rating_facet] - 1] += row.comments;
    languages[row.cell[language_facet]] += row.comments;
  }
  for (auto [language, comments] : languages)
    statistics.languages.emplace_back(facets[language_facet].text(language), comments);
}

}  // namespace

Awaitable<Result<Statistics>> Comments::statistics(std::string product,
                                                   std::vector<std::string> languages) const {
  auto filter = make_filter({.product = product, .languages = languages});
  if (!filter) co_return filter.error();
  Statistics statistics;
  statistics.view = store_.view();
  View& view = *statistics.view;
  auto counts = co_await view.counts(product);
  if (!counts) co_return counts.error();
  auto as_of = co_await view.as_of();
  if (!as_of) co_return as_of.error();
  statistics.as_of_ms = *as_of;
  count(statistics, *counts, *filter);
  struct Wanted {
    std::string_view Statistics::*document;
    std::vector<FacetValue> ratings;
  };
  const Wanted all[] = {{&Statistics::latest, {}},
                        {&Statistics::latest_positive, {4, 5}},
                        {&Statistics::latest_critical, {1, 2}}};
  for (const auto& wanted : all) {
    auto document = co_await newest(view, *filter, *counts, wanted.ratings, store_.costs());
    if (!document) co_return document.error();
    statistics.*wanted.document = *document;
  }
  co_return statistics;
}

Awaitable<Result<Leaderboard>> Comments::leaderboard(Leaders by, std::string language,
                                                     std::size_t limit) const {
  FacetValue value = any;
  if (!language.empty()) {
    auto parsed = facets[language_facet].parse(language);
    if (!parsed) {
      co_return Error{ErrorCode::invalid_parameter,
                      "language is " + std::string(facets[language_facet].wanted) + ".",
                      "language"};
    }
    value = *parsed;
  }
  auto view = store_.view();
  auto as_of = co_await view->as_of();
  if (!as_of) co_return as_of.error();
  auto leaders = co_await view->leaders(by, value, limit);
  if (!leaders) co_return leaders.error();
  co_return Leaderboard{std::move(*leaders), *as_of};
}

}  // namespace quire
