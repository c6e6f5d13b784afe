// Where the links of a page of comments lead.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "http/query.h"
#include "quire/page.h"
#include "quire/ulid.h"

namespace quire::http {

struct PageLinks {
  // With what all addresses here begin: "/reviews", or empty; or the whole public URL.
  std::string path;
  std::string self;  // the page of the product, without parameters

  // The page of this query: at a position ("after=…", "page=…"), or at its start.
  std::string page(const Query& query, std::string_view position = {}) const {
    return page_address(self, query, position);
  }
  std::string numbered(const Query& query, std::uint64_t number) const {
    return numbered_address(self, query, number);
  }
  // The page of a comment alone, with its whole text.
  std::string comment(const Ulid& id) const { return path + "/comments/" + id.text(); }
  // The address that leads to the page on which the comment stands among the others.
  std::string comment_place(const Ulid& id) const { return comment(id) + "/page"; }
};

// The fragment of a comment on its page, with its "#".
inline std::string comment_anchor(const Ulid& id) {
  return "#c-" + id.text();
}

// The links of a product's own page. `path`: see PageLinks.
inline PageLinks links_of(std::string_view path, const std::string& product) {
  return {std::string(path), std::string(path) + "/products/" + percent_encode(product)};
}

}  // namespace quire::http
