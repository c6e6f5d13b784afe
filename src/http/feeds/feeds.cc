#include "http/feeds/feeds.h"

#include "http/html/shown_comment.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "http/query.h"
#include "loop/turn.h"

namespace quire::http {
namespace {

// The format allows 50,000. So many take a few milliseconds, and are short enough to be compressed.
constexpr std::size_t products_a_part = 5'000;
constexpr std::chrono::seconds sitemap_kept{60};

}  // namespace

Awaitable<Response> Feeds::feed(const Request& request) {
  auto query = filter_query(request, feed_parameters);
  if (!query) co_return problem(query.error());
  query->product = request.captures[0];
  auto page = co_await comments_.page(*query);
  if (!page) co_return co_await filter_problem(comments_, page.error(), feed_parameters);
  metrics_.found(*page);
  auto none = co_await no_comments(comments_, *page, query->product);
  if (none) co_return std::move(*none);
  // Readers of feeds have no language of their own: the address says it, or it is the shop's.
  auto look = html_.look(request.ui.by_address ? request.ui : Ui());
  auto comments = co_await shown_comments(*page, look.face->shop().get());
  auto facts = co_await facts_of(*page->view, query->product);
  if (!facts) co_return problem(facts.error());
  const auto& name = *facts ? (*facts)->name : query->product;
  co_return atom_feed(comments, *query, name, site_.root(request), look);
}

Awaitable<Result<Feeds::SitemapParts>> Feeds::sitemap_parts() {
  {
    std::lock_guard lock(sitemap_mutex_);
    if (sitemap_parts_ && std::chrono::steady_clock::now() < sitemap_until_)
      co_return sitemap_parts_;
  }
  auto parts = std::make_shared<std::vector<std::string>>(1);
  for (;;) {
    auto products = co_await comments_.product_names(parts->back(), products_a_part + 1);
    if (!products) co_return products.error();
    if (products->size() <= products_a_part) break;
    parts->push_back(std::move((*products)[products_a_part - 1]));
  }
  std::lock_guard lock(sitemap_mutex_);
  sitemap_parts_ = parts;
  sitemap_until_ = std::chrono::steady_clock::now() + sitemap_kept;
  co_return parts;
}

Awaitable<Response> Feeds::sitemap(const Request& request) {
  if (auto error = allow_only(request, sitemap_parameters)) co_return problem(*error);
  auto root = site_.root(request);
  if (root.empty()) {
    co_return problem("not-found",
                      "There is no sitemap for this host, because its addresses must be absolute. "
                      "Start the server with --public-url, the address that visitors see.");
  }
  auto after = parameter(request, "after");
  if (!after) {
    auto parts = co_await sitemap_parts();
    if (!parts) co_return problem(parts.error());
    if ((*parts)->size() > 1) co_return sitemap_index_of(**parts, root);
  }
  auto products =
      co_await comments_.product_names(std::string(after.value_or("")), products_a_part);
  if (!products) co_return problem(products.error());
  auto newest = co_await comments_.newest(*products);
  if (!newest) co_return problem(newest.error());
  if (turn_is_over()) co_await next_turn();
  co_return sitemap_of(*products, *newest, root);
}

Awaitable<Response> Feeds::robots(const Request& request) {
  co_return robots_of(site_.root(request), request.path);
}

}  // namespace quire::http
