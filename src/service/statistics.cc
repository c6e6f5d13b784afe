// The statistics of a product, and the leaderboard of products.
#include <map>

#include "model/document.h"
#include "service/comments.h"

namespace quire {
namespace {

constexpr int max_damaged = 100;  // comments passed over in search of a whole one

// The document of a listing's first comment that is not damaged.
Awaitable<Result<std::string_view>> first_document(Listing& listing) {
  std::optional<Position> from;
  for (int i = 0; i < max_damaged; ++i) {
    auto rows = co_await listing.read(from, Direction::forward);
    if (!rows) co_return rows.error();
    if (!rows->entries.empty()) co_return rows->entries.front().document;
    if (!rows->next) break;
    from = rows->next;
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
  const Opening first_comment{1, Opening::Numbered::no, Opening::Neighbours::skip};
  struct Wanted {
    std::string_view Statistics::*document;
    std::vector<FacetValue> ratings;
  };
  const Wanted all[] = {{&Statistics::latest, {}},
                        {&Statistics::latest_positive, {4, 5}},
                        {&Statistics::latest_critical, {1, 2}}};
  for (const auto& wanted : all) {
    Filter rated = *filter;
    rated.values[rating_facet] = wanted.ratings;
    auto listing = co_await listings_->open(view, rated, Sort::newest, *counts, first_comment);
    if (!listing) co_return listing.error();
    auto document = co_await first_document(**listing);
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
