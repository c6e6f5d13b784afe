// What a shop tells of a product: its name, its page, its picture, and the numbers by which search
// engines know it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

namespace quire {

// An empty text is not told.
struct ProductFacts {
  std::string name;
  std::string url;    // https:// or http://, of the shop's own page
  std::string image;  // its address
  std::string brand;
  // Of the product and its variants: each value once, at most max_numbers.
  std::vector<std::string> gtin;  // 8, 12, 13 or 14 digits
  std::vector<std::string> mpn;   // the maker's number
  std::vector<std::string> sku;   // the shop's number

  static constexpr std::size_t max_numbers = 50;

  bool operator==(const ProductFacts&) const = default;
};

struct NamedFacts {
  std::string product;
  ProductFacts facts;
};

// The names of the members, in their order.
inline constexpr std::string_view fact_names[] = {"name", "url", "image", "brand",
                                                  "gtin", "mpn", "sku"};

// Whether the member of this name is a list.
bool is_listed_fact(std::string_view name);
// Puts a text into the member of this name, in the form in which it is kept; a list has it besides.
// False: the member cannot have it, and stays as it is.
bool set_fact(ProductFacts& facts, std::string_view name, std::string text);

// The members of what is told, each with a comma before it.
void append_facts(std::string& out, const ProductFacts& facts);
// As a store keeps them: a JSON object of what is told. A list of one value is a string.
std::string encode_facts(const ProductFacts& facts);
// Absent: the text is damaged.
std::optional<ProductFacts> decode_facts(std::string_view json);

// The body of a PUT of this product's facts; it may name the product, as the answer to a GET does.
// Addresses come in the form that browsers send: scheme and host in lower case, without the
// scheme's own port. invalid_comment: the members at fault, at most 20.
Result<ProductFacts> parse_facts(std::string_view json, std::string_view product);
// A row of an import or an export, and the answer to a request: the member `product` is a must. It
// is read as bring_into_form() tells (model/unique_json.h).
Result<NamedFacts> parse_facts_row(std::string_view json);
std::string encode_facts_row(const NamedFacts& row);
// The ETag of this answer.
std::string facts_tag(const NamedFacts& row);

}  // namespace quire
