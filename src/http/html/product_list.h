// The list of products on the web page: which products a page of it has, and in which order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// The order in which people expect names: "product-2" before "product-10", "apple" before "Banana".
// A total order: runs of digits compare by value, Latin letters without case; texts that are then
// equal compare by bytes.
bool natural_less(std::string_view a, std::string_view b);

struct ProductList {
  std::vector<ProductTotal> products;              // at most limits::products_max
  std::vector<std::optional<ProductFacts>> facts;  // of them, in their order
  std::string next;  // further ones follow after this name; empty: none do
};

// The products whose names begin with `begin`, strictly after the name `after`; empty texts: all,
// from the start. Up to 500 such products are in natural order. More are in the order of their
// bytes, which is that of the store: to know the first of a million in another order, all would
// have to be read.
Awaitable<Result<ProductList>> list_products(const Comments& comments, std::string begin,
                                             std::string after);

}  // namespace quire::http
