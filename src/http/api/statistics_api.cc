#include "http/api/statistics_api.h"

#include <algorithm>

#include "base/limits.h"
#include "http/api/json.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"

namespace quire::http {
namespace {

constexpr std::size_t leaders_default = 10;
const Names filter_names = {"language", "rating", "q"};

// Removes the time up to which the numbers hold, if there is one, for a tag that does not change
// with that time alone. An unknown time (0) stays, because it is to have a tag of its own.
bool remove_time(AsOf& as_of_ms) {
  return as_of_ms.value_or(0) > 0 && std::exchange(as_of_ms, {});
}

}  // namespace

Awaitable<Response> StatisticsApi::statistics(const Request& request) {
  auto query = filter_query(request, filter_names);
  if (!query) co_return problem(query.error());
  query->product = request.captures[0];
  auto found = co_await comments_.statistics(*query);
  if (!found) co_return co_await filter_problem(comments_, found.error(), filter_names);
  Response response{.body = statistics_json(request.captures[0], *found),
                    .caching = Caching::revalidate};
  if (remove_time(found->as_of_ms)) response.tag_by(statistics_json(request.captures[0], *found));
  co_return response;
}

Awaitable<Response> StatisticsApi::statistics_of_products(const Request& request) {
  auto is_product = [](std::string_view name) { return name == "product"; };
  if (auto allowed = allow_only(request, {"product"}, is_product); !allowed)
    co_return problem(allowed.error());
  std::vector<std::string> products;
  for (const auto& [name, product] : request.parameters) products.push_back(product);
  auto found = co_await comments_.totals_of(std::move(products));
  if (!found) co_return problem(found.error());
  Response response{.body = totals_json(*found), .caching = Caching::revalidate};
  if (remove_time(found->as_of_ms)) response.tag_by(totals_json(*found));
  co_return response;
}

Awaitable<Response> StatisticsApi::leaderboard(const Request& request) {
  if (auto allowed = allow_only(request, {"limit", "language", "by"}); !allowed)
    co_return problem(allowed.error());
  std::size_t limit = leaders_default;
  if (auto text = parameter(request, "limit")) {
    auto given = number("limit", *text, 1, limits::page_max);
    if (!given) co_return problem(given.error());
    limit = *given;
  }
  auto by = parse_leaders(parameter(request, "by").value_or("five_star"));
  if (!by) co_return problem("invalid-parameter", "by is five_star or average.", "by");
  auto given = parameter(request, "language");
  if (given && given->empty())
    co_return problem("invalid-parameter", "language is empty; leave it out for any.", "language");
  if (std::count_if(request.parameters.begin(), request.parameters.end(),
                    [](const auto& each) { return each.first == "language"; }) > 1) {
    co_return problem(
        "invalid-parameter",
        "A leaderboard is of one language, or of all: give language once, or not at all.",
        "language");
  }
  std::string language(given.value_or(""));
  auto found = co_await comments_.leaderboard(*by, language, limit);
  if (!found) co_return problem(found.error());
  Response response{.body = leaderboard_json(*by, *found), .caching = Caching::revalidate};
  if (remove_time(found->as_of_ms)) response.tag_by(leaderboard_json(*by, *found));
  co_return response;
}

}  // namespace quire::http
