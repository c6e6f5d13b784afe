// The list of products on the web page: which products a page of it has, and in which order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// What a visitor asks for.
struct ProductQuery {
  std::string find;           // words of a name and brand, or the beginning of an id; empty: all
  std::string after;          // the last product of the page before; empty on the first
  std::optional<Leaders> by;  // the order of those that are found; absent: by name
};

struct ProductList {
  std::vector<ProductTotal> products;              // at most limits::products_max
  std::vector<std::optional<ProductFacts>> facts;  // of them, in their order
  std::string next;        // further ones follow after this product; empty: none do
  std::string after_name;  // of the product `after`
  bool finds_ids = false;  // and not names, because there are too many products

  // As visitors read it: the name that the shop tells, or the product's id.
  const std::string& name(std::size_t i) const {
    return facts[i] ? facts[i]->name : products[i].product;
  }
};

// The products whose id begins with `find`, strictly after the product `after`; empty texts: all,
// from the start. Of up to 500 products, those whose name and brand have each word of `find`, too,
// case and accents aside; and up to 500 found ones are in the order of their names: first those
// that begin so, then others that have the words, then brands. More are in the order of the bytes
// of ids, which is that of the store: to know the first of a million in another order, all would
// have to be read. Where `after` is gone meanwhile, none that is found has a place behind it. Where
// no further ones follow, they are in the order `by`; equal ones are by name.
Awaitable<Result<ProductList>> list_products(const Comments& comments, ProductQuery query);

}  // namespace quire::http
