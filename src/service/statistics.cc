// The statistics of a product, and the leaderboard of products.
#include <algorithm>
#include <map>
#include <set>

#include "base/limits.h"
#include "base/try.h"
#include "model/counts.h"
#include "model/validate.h"
#include "service/comments.h"
#include "service/pagination.h"

namespace quire {
namespace {

constexpr int max_damaged = 100;  // comments passed over in search of a whole one

// A listing's first comment that is not damaged; without a document: there is none.
Awaitable<Result<Entry>> first_entry(Listing& listing) {
  std::optional<Position> from;
  for (int i = 0; i < max_damaged; ++i) {
    CO_TRY(auto rows, co_await listing.read(from, Direction::forward));
    if (!rows.entries.empty()) co_return rows.entries.front();
    if (!rows.next) break;
    from = rows.next;
  }
  co_return Entry{};
}

// From the product's counts, where the filter is about language and rating alone.
void count(Statistics& statistics, const Counts& counts, const Filter& filter) {
  std::map<FacetValue, std::uint64_t> languages;
  for (const auto& row : counts.rows()) {
    if (!filter.matches(row.cell)) continue;
    statistics.ratings[row.cell[rating_facet] - 1] += row.comments;
    languages[row.cell[language_facet]] += row.comments;
  }
  for (const auto& [language, comments] : languages)
    statistics.languages.emplace_back(list_facets[language_facet].text(language), comments);
  std::sort(statistics.languages.begin(), statistics.languages.end());
}

// By the listing of the filter.
Awaitable<Status> count(Statistics& statistics, Listing& listing, const Schema& schema) {
  const SchemaFacet facets[] = {*schema.find(language_number), *schema.find(rating_number)};
  CO_TRY(auto counted, co_await listing.counts(facets, Under::whole_filter));
  if (!counted.missing.empty()) co_return Error{ErrorCode::unavailable, counted.missing};
  statistics.languages = counted.facets[0].values;
  for (const auto& [rating, comments] : counted.facets[1].values)
    statistics.ratings[static_cast<std::size_t>(rating[0] - '1')] = comments;
  co_return Done{};
}

// The filter, for these ratings alone. Absent: it selects none of them.
std::optional<Filter> rated(Filter filter, const std::vector<FacetValue>& ratings) {
  auto& wanted = filter.values[rating_facet];
  if (wanted.empty()) wanted = ratings;
  std::erase_if(wanted, [&](FacetValue rating) {
    return !ratings.empty() && std::find(ratings.begin(), ratings.end(), rating) == ratings.end();
  });
  if (wanted.empty() && !ratings.empty()) return {};
  return filter;
}

constexpr Opening first_comment{1, Opening::Numbered::no, Opening::Neighbours::skip};

}  // namespace

RatingCounts ratings_of(const Counts& counts) {
  RatingCounts ratings{};
  for (const auto& row : counts.rows()) ratings[row.cell[rating_facet] - 1] += row.comments;
  return ratings;
}

Awaitable<Result<Statistics>> Comments::statistics(Query query) const {
  Statistics statistics;
  statistics.view = store_.view();
  View& view = *statistics.view;
  CO_TRY(auto question, co_await bound_query(view, query));
  const Filter& filter = question.filter;
  CO_TRY(auto counts, co_await view.counts(query.product));
  CO_TRY(statistics.as_of_ms, co_await view.as_of());
  if (filter.is_of_values()) count(statistics, counts, filter);
  struct Wanted {
    std::string_view Statistics::*document;
    std::vector<FacetValue> ratings;
  };
  const Wanted all[] = {{&Statistics::latest, {}},
                        {&Statistics::latest_positive, {4, 5}},
                        {&Statistics::latest_critical, {1, 2}}};
  for (const auto& wanted : all) {
    auto narrow = rated(filter, wanted.ratings);
    if (!narrow) continue;
    CO_TRY(auto listing, co_await listings_->open(view, *narrow, {}, counts, first_comment));
    if (wanted.ratings.empty() && !filter.is_of_values()) {
      CO_TRY_DONE(co_await count(statistics, *listing, *question.schema));
    }
    CO_TRY(auto first, co_await first_entry(*listing));
    statistics.*wanted.document = first.document;
    if (wanted.ratings.empty() && !first.document.empty()) statistics.latest_ms = first.id.ms();
  }
  co_return statistics;
}

Awaitable<Result<std::vector<std::string>>> Comments::languages(std::string product) const {
  CO_TRY_DONE(check_product(product));
  auto view = store_.view();
  CO_TRY(auto counts, co_await view->counts(product));
  std::set<std::string> languages;
  for (const auto& row : counts.rows())
    languages.insert(list_facets[language_facet].text(row.cell[language_facet]));
  co_return std::vector<std::string>(languages.begin(), languages.end());
}

Awaitable<Result<ProductTotals>> Comments::totals_of(std::vector<std::string> products) const {
  if (products.empty() || products.size() > limits::products_max) {
    co_return Error{ErrorCode::invalid_parameter, "Name 1 to 100 products: product=a&product=b.",
                    "product"};
  }
  for (const auto& product : products) CO_TRY_DONE(check_product(product));
  auto view = store_.view();
  auto present = products;
  for (auto& product : present) product = successor(product).value_or(std::move(product));
  CO_TRY(auto counts, co_await view->counts_of(present));
  CO_TRY(auto as_of, co_await view->as_of());
  ProductTotals out{{}, as_of};
  for (std::size_t i = 0; i < products.size(); ++i) {
    auto ratings = ratings_of(counts[i]);
    out.products.push_back({std::move(products[i]), total(ratings), ratings});
  }
  co_return out;
}

Awaitable<Result<Leaderboard>> Comments::leaderboard(Leaders by, std::string language,
                                                     std::size_t limit) const {
  FacetValue value = any;
  if (!language.empty()) {
    auto canonical = canonical_language(language);
    if (!canonical) {
      co_return Error{ErrorCode::invalid_parameter,
                      "language is " + std::string(list_facets[language_facet].wanted) + ".",
                      "language"};
    }
    language = std::move(*canonical);
    value = *list_facets[language_facet].parse(language);
  }
  auto view = store_.view();
  CO_TRY(auto as_of, co_await view->as_of());
  CO_TRY(auto leaders, co_await view->leaders(by, value, limit));
  std::vector<std::string> names;
  for (const auto& leader : leaders) names.push_back(leader.product);
  CO_TRY(auto facts, co_await view->facts(std::move(names)));
  for (std::size_t i = 0; i < leaders.size(); ++i) leaders[i].facts = std::move(facts[i]);
  co_return Leaderboard{std::move(leaders), as_of, std::move(language)};
}

}  // namespace quire
