// Where the links of a web page lead.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "http/demo/pictures.h"
#include "http/query.h"
#include "quire/page.h"
#include "quire/ulid.h"

namespace quire::http {

struct PageLinks {
  // With what all addresses here begin: "/reviews", or empty; or the whole public URL.
  std::string path;
  std::string self;  // the page of the product, without parameters
  // The language that the page's address asks for, which links go on asking for: "ui=de"; empty: it
  // asks for none.
  std::string ui = {};
  // Whether each comment has a form to vote: in a fragment, whose page may know the customer.
  bool votes = false;
  // Whether each comment has a link to the form for a report of it.
  bool reports = false;
  // Whether this server has the pictures of the demo.
  bool demo = false;
  // What the address of a product's first page has to say to show all languages; empty: nothing.
  std::string any_language = {};
  // The page of the shop that shows the fragment, which takes the parameters as those of `quire`;
  // empty: links lead to the page of the product.
  std::string base = {};
  // Whether the links are on the page of the product itself, and leave its path out.
  bool within = false;

  // The page of this query: at a position ("after=…", "page=…"), or at its start.
  std::string page(const Query& query, std::string_view position = {}) const {
    if (position.empty() && !any_language.empty() && parameters_of(query).empty())
      position = any_language;
    if (!base.empty()) return through_base(page_address(self, query, position));
    auto address = page_address(within ? std::string_view() : self, query, with_ui_at(position));
    if (address.empty()) return self;
    return address;
  }
  std::string numbered(const Query& query, std::uint64_t number) const {
    return page(query, number == 1 ? "" : "page=" + std::to_string(number));
  }
  // The list of products: `query` without its question mark.
  std::string products(std::string_view query = {}) const {
    return path + "/" + with_ui(query.empty() ? std::string() : "?" + std::string(query));
  }
  std::string product() const { return self + with_ui({}); }
  // The form for a comment on it.
  std::string review() const { return self + "/review" + with_ui({}); }
  // The page of an invitation's products.
  std::string invited(std::string_view ticket) const {
    return path + "/review" + with_ui("?ticket=" + percent_encode(ticket));
  }
  // The page of a comment alone, with its whole text. `id`: as text, here and below.
  std::string comment(std::string_view id) const { return of_comment(id, "", ui); }
  // Where a form sends a vote.
  std::string vote(std::string_view id) const { return of_comment(id, "/vote", ""); }
  // The form for a report of it.
  std::string report(std::string_view id) const { return of_comment(id, "/report", ui); }
  // Where a picture is.
  std::string picture(const std::string& url) const {
    if (!demo || !url.starts_with(demo_pictures)) return url;
    return path + "/demo/" + url.substr(demo_pictures.size());
  }
  // The address that leads to the page on which the comment stands among the others.
  std::string comment_place(std::string_view id) const { return of_comment(id, "/page", ui); }

 private:
  // Each comment of a page has such addresses, so they are made at once.
  std::string of_comment(std::string_view id, std::string_view ending,
                         std::string_view query) const {
    std::string out;
    out.reserve(path.size() + id.size() + ending.size() + query.size() + 16);
    out.append(path).append("/comments/").append(id).append(ending);
    if (!query.empty()) out.append("?").append(query);
    return out;
  }
  std::string with_ui_at(std::string_view position) const {
    std::string out(position);
    return out.empty() || ui.empty() ? out + ui : out + "&" + ui;
  }
  std::string through_base(const std::string& address) const {
    if (address.size() == self.size()) return base;
    auto query = std::string_view(address).substr(self.size() + 1);
    return base + (base.find('?') == base.npos ? "?" : "&") + "quire=" + percent_encode(query);
  }
  std::string with_ui(std::string query) const {
    if (ui.empty()) return query;
    return query + (query.empty() ? "?" : "&") + ui;
  }
};

// The fragment of a comment on its page, with its "#".
inline std::string comment_anchor(const Ulid& id) {
  return "#c-" + id.text();
}

// The links of a product's own page. `path`, `ui`: see PageLinks.
inline PageLinks links_of(std::string_view path, const std::string& product,
                          std::string_view ui = {}) {
  return {std::string(path), std::string(path) + "/products/" + percent_encode(product),
          std::string(ui)};
}

}  // namespace quire::http
