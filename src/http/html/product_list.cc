#include "http/html/product_list.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/limits.h"
#include "base/try.h"
#include "model/counts.h"
#include "texts/names.h"

namespace quire::http {
namespace {

constexpr std::size_t max_sorted = 500;

using ProductNames = std::vector<std::string>;

// In the order of bytes: first the product `begin` itself if `from` is that name, then at most
// `limit` others that begin so and come after `from`.
Awaitable<Result<ProductNames>> matching(const Comments& comments, const std::string& begin,
                                         const std::string& from, std::size_t limit) {
  ProductNames out;
  if (!begin.empty() && from == begin) {
    ProductNames one{begin}, again{begin};
    CO_TRY(auto itself, co_await comments.totals_of(std::move(one)));
    CO_TRY(auto facts, co_await comments.facts(std::move(again)));
    if (itself.products[0].comments > 0 || facts.front()) out.push_back(begin);
  }
  CO_TRY(auto found, co_await comments.product_names(from, limit));
  for (auto& name : found) {
    if (!name.starts_with(begin)) break;
    out.push_back(std::move(name));
  }
  co_return out;
}

// A product, and what the shop tells of it.
struct Listed {
  std::string product;
  std::optional<ProductFacts> facts;
  std::string key = texts::order_key(name());

  const std::string& name() const { return facts ? facts->name : product; }
};

bool by_name(const Listed& a, const Listed& b) {
  return std::tie(a.key, a.product) < std::tie(b.key, b.product);
}

// Whether each word occurs in the text.
bool has_words(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    auto word = words.substr(0, words.find(' '));
    if (text.find(word) == text.npos) return false;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return true;
}

// The rows whose name and brand have each word of `find`, or whose id begins with it. Before
// the others come names that begin so, and then those that have all the words.
Awaitable<std::vector<Listed>> found_in(std::vector<Listed> rows, std::string find) {
  auto words = texts::folded(find);
  std::vector<Listed> found;
  for (auto& row : rows) {
    if (turn_is_over()) co_await next_turn();
    auto name = texts::folded(row.name());
    bool begins = name.starts_with(words) || row.product.starts_with(find);
    bool named = has_words(name, words);
    if (!begins && !named && !row.facts) continue;
    if (!begins && !named && !has_words(name + " " + texts::folded(row.facts->brand), words))
      continue;
    row.key.insert(0, 1, begins ? 1 : named ? 2 : 3);
    found.push_back(std::move(row));
  }
  co_return found;
}

// Takes the rows up to that of `after`. One that is gone meanwhile has a place among all products,
// but none among those that were found: then no row is left. Returns its name.
std::string take_until(std::vector<Listed>& rows, const std::string& after, bool found) {
  if (after.empty()) return {};
  auto at = std::find_if(rows.begin(), rows.end(),
                         [&](const Listed& row) { return row.product == after; });
  Listed last = at != rows.end() ? *at : Listed{after, {}};
  if (at == rows.end() && found) rows.clear();
  std::erase_if(rows, [&](const Listed& row) { return !by_name(last, row); });
  return last.name();
}

Awaitable<Result<std::vector<Listed>>> told(const Comments& comments, ProductNames names) {
  CO_TRY(auto facts, co_await comments.facts(names));
  std::vector<Listed> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (turn_is_over()) co_await next_turn();
    rows.push_back({std::move(names[i]), std::move(facts[i])});
  }
  co_return rows;
}

// The first products of the rows, with their ratings.
Awaitable<Result<ProductList>> page_of(const Comments& comments, std::vector<Listed> rows,
                                       std::string after_name) {
  ProductList out{.after_name = std::move(after_name)};
  if (rows.empty()) co_return out;
  if (rows.size() > limits::products_max) {
    rows.resize(limits::products_max);
    out.next = rows.back().product;
  }
  ProductNames names;
  for (const auto& row : rows) names.push_back(row.product);
  CO_TRY(auto totals, co_await comments.totals_of(std::move(names)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& product = totals.products[i];
    // The last comment of a product may have been removed meanwhile.
    if (product.comments == 0 && !rows[i].facts) continue;
    out.products.push_back(std::move(product));
    out.facts.push_back(std::move(rows[i].facts));
  }
  co_return out;
}

void sort_by(Leaders by, ProductList& list) {
  std::vector<std::size_t> order(list.products.size());
  std::iota(order.begin(), order.end(), 0);
  auto value = [&](std::size_t i) { return rank_value(by, list.products[i].ratings); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  ProductList sorted;
  for (auto i : order) {
    sorted.products.push_back(std::move(list.products[i]));
    sorted.facts.push_back(std::move(list.facts[i]));
  }
  list.products = std::move(sorted.products);
  list.facts = std::move(sorted.facts);
}

}  // namespace

Awaitable<Result<ProductList>> list_products(const Comments& comments, ProductQuery query) {
  const auto& [find, after, by] = query;
  auto names = co_await comments.product_names("", max_sorted + 1);
  if (!names) co_return names.error();
  bool few = names->size() <= max_sorted;
  if (!few && !find.empty()) names = co_await matching(comments, find, find, max_sorted + 1);
  if (!names) co_return names.error();
  bool sorted = names->size() <= max_sorted;
  if (!sorted) {
    auto from = std::max(find, after);
    names = co_await matching(comments, find, from, limits::products_max + 1);
    if (!names) co_return names.error();
    if (!after.empty()) std::erase(*names, after);
  }
  CO_TRY(auto rows, co_await told(comments, std::move(*names)));
  auto after_name = after;
  if (few && !find.empty()) {
    auto found = co_await found_in(std::move(rows), find);
    rows = std::move(found);
  }
  if (sorted) std::sort(rows.begin(), rows.end(), by_name);
  if (sorted) after_name = take_until(rows, after, few && !find.empty());
  auto page = co_await page_of(comments, std::move(rows), std::move(after_name));
  if (!page) co_return page;
  page->finds_ids = !few;
  if (by && page->next.empty()) sort_by(*by, *page);
  co_return page;
}

}  // namespace quire::http
