#include "http/html/product_list.h"

#include <algorithm>

#include "base/limits.h"

namespace quire::http {
namespace {

constexpr std::size_t max_sorted = 500;

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

unsigned char without_case(char byte) {
  return static_cast<unsigned char>(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

// Takes the digits off the front of `rest`. Gives them without zeros in front.
std::string_view take_number(std::string_view& rest) {
  auto end =
      static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_digit) - rest.begin());
  auto digits = rest.substr(0, end);
  rest.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Less than, equal to or greater than 0, as `a` is to `b`.
int compare(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      auto x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (int order = x.compare(y)) return order;
    } else {
      auto x = without_case(a[0]), y = without_case(b[0]);
      if (x != y) return x < y ? -1 : 1;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return int{!a.empty()} - int{!b.empty()};
}

using ProductNames = std::vector<std::string>;

// In the order of bytes: first the product `begin` itself if `from` is that name, then at most
// `limit` others that begin so and come after `from`.
Awaitable<Result<ProductNames>> matching(const Comments& comments, const std::string& begin,
                                         const std::string& from, std::size_t limit) {
  ProductNames out;
  if (!begin.empty() && from == begin) {
    ProductNames one{begin}, again{begin};
    auto itself = co_await comments.totals_of(std::move(one));
    if (!itself) co_return itself.error();
    auto facts = co_await comments.facts(std::move(again));
    if (!facts) co_return facts.error();
    if (itself->products[0].comments > 0 || facts->front()) out.push_back(begin);
  }
  auto found = co_await comments.product_names(from, limit);
  if (!found) co_return found.error();
  for (auto& name : *found) {
    if (!name.starts_with(begin)) break;
    out.push_back(std::move(name));
  }
  co_return out;
}

// A product, and what the shop tells of it.
struct Listed {
  std::string product;
  std::optional<ProductFacts> facts;

  const std::string& name() const { return facts ? facts->name : product; }
};

bool by_name(const Listed& a, const Listed& b) {
  if (natural_less(a.name(), b.name())) return true;
  return a.name() == b.name() && a.product < b.product;
}

bool begins_so(const Listed& row, std::string_view begin) {
  auto same = [](char a, char b) { return without_case(a) == without_case(b); };
  const auto& name = row.name();
  return row.product.starts_with(begin) ||
         (name.size() >= begin.size() &&
          std::equal(begin.begin(), begin.end(), name.begin(), same));
}

// Takes the rows up to that of `after`, which may be gone meanwhile. Returns its name.
std::string take_until(std::vector<Listed>& rows, const std::string& after) {
  if (after.empty()) return {};
  auto at = std::find_if(rows.begin(), rows.end(),
                         [&](const Listed& row) { return row.product == after; });
  Listed last = at != rows.end() ? *at : Listed{after, {}};
  std::erase_if(rows, [&](const Listed& row) { return !by_name(last, row); });
  return last.name();
}

Awaitable<Result<std::vector<Listed>>> told(const Comments& comments, ProductNames names) {
  auto facts = co_await comments.facts(names);
  if (!facts) co_return facts.error();
  std::vector<Listed> rows;
  for (std::size_t i = 0; i < names.size(); ++i)
    rows.push_back({std::move(names[i]), std::move((*facts)[i])});
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
  auto totals = co_await comments.totals_of(std::move(names));
  if (!totals) co_return totals.error();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& product = totals->products[i];
    // The last comment of a product may have been removed meanwhile.
    if (product.comments == 0 && !rows[i].facts) continue;
    out.products.push_back(std::move(product));
    out.facts.push_back(std::move(rows[i].facts));
  }
  co_return out;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  int order = compare(a, b);
  return order != 0 ? order < 0 : a < b;
}

Awaitable<Result<ProductList>> list_products(const Comments& comments, std::string begin,
                                             std::string after) {
  auto names = co_await comments.product_names("", max_sorted + 1);
  if (!names) co_return names.error();
  bool few = names->size() <= max_sorted;
  if (!few && !begin.empty()) names = co_await matching(comments, begin, begin, max_sorted + 1);
  if (!names) co_return names.error();
  bool sorted = names->size() <= max_sorted;
  if (!sorted) {
    auto from = std::max(begin, after);
    names = co_await matching(comments, begin, from, limits::products_max + 1);
    if (!names) co_return names.error();
    if (!after.empty()) std::erase(*names, after);
  }
  auto rows = co_await told(comments, std::move(*names));
  if (!rows) co_return rows.error();
  auto after_name = after;
  if (few) std::erase_if(*rows, [&](const Listed& row) { return !begins_so(row, begin); });
  if (sorted) std::sort(rows->begin(), rows->end(), by_name);
  if (sorted) after_name = take_until(*rows, after);
  auto page = co_await page_of(comments, std::move(*rows), std::move(after_name));
  if (page) page->finds_ids = !few;
  co_return page;
}

}  // namespace quire::http
