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

void sort_naturally(ProductNames& names, const std::string& after) {
  if (!after.empty()) {
    std::erase_if(names, [&](const std::string& name) { return !natural_less(after, name); });
  }
  std::sort(names.begin(), names.end(), natural_less);
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  int order = compare(a, b);
  return order != 0 ? order < 0 : a < b;
}

Awaitable<Result<ProductList>> list_products(const Comments& comments, std::string begin,
                                             std::string after) {
  auto names = co_await matching(comments, begin, begin, max_sorted + 1);
  if (!names) co_return names.error();
  if (names->size() <= max_sorted) {
    sort_naturally(*names, after);
  } else if (!after.empty()) {
    auto from = std::max(begin, after);
    names = co_await matching(comments, begin, from, limits::products_max + 1);
    if (!names) co_return names.error();
    std::erase(*names, after);
  }
  ProductList out;
  if (names->empty()) co_return out;
  if (names->size() > limits::products_max) {
    names->resize(limits::products_max);
    out.next = names->back();
  }
  auto facts = co_await comments.facts(*names);
  if (!facts) co_return facts.error();
  auto totals = co_await comments.totals_of(std::move(*names));
  if (!totals) co_return totals.error();
  for (std::size_t i = 0; i < facts->size(); ++i) {
    auto& product = totals->products[i];
    // The last comment of a product may have been removed meanwhile.
    if (product.comments == 0 && !(*facts)[i]) continue;
    out.products.push_back(std::move(product));
    out.facts.push_back(std::move((*facts)[i]));
  }
  co_return out;
}

}  // namespace quire::http
