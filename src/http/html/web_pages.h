// The handlers of the web pages and of the files that belong to them.
#pragma once

#include <string>
#include <vector>

#include "http/found_words.h"
#include "http/html/html.h"
#include "http/html/parts.h"
#include "http/html/shown_comment.h"
#include "http/message.h"
#include "http/operations/metrics.h"
#include "http/parameters.h"
#include "http/site.h"
#include "loop/awaitable.h"
#include "service/comments.h"

namespace quire::http {

// The parameters of the list of products.
inline const Names list_parameters = {"after", "by", "find", "ui"};

// Those of a fragment: the page's, where it is shown, its query there, and whether it has
// structured data.
inline const Names fragment_parameters = {"language", "rating", "q",     "limit",  "sort",
                                          "page",     "skip",   "after", "before", "facets",
                                          "explain",  "ui",     "base",  "jsonld", "quire"};

// Handlers of routes. The request's `captures` have the variable segments of its path. Thread-safe.
class WebPages {
 public:
  // All must outlive this.
  WebPages(Comments& comments, Metrics& metrics, const Site& site, const Html& html)
      : comments_(comments), metrics_(metrics), site_(site), html_(html) {}

  Awaitable<Response> products(const Request& request);
  Awaitable<Response> comments(const Request& request);
  // The comments without a page around them, for a page of the shop.
  Awaitable<Response> fragment(const Request& request);
  Awaitable<Response> comment(const Request& request);
  // The permanent address of a comment among the others: leads to the page that it is on now.
  Awaitable<Response> comment_place(const Request& request);
  Awaitable<Response> problem_kind(const Request& request);
  // A picture of the demo, which no other server has.
  Awaitable<Response> demo_picture(const Request& request);
  Awaitable<Response> file(const Request& request);
  // The script of the elements, for pages of the shop.
  Awaitable<Response> embed_script(const Request& request);

 private:
  // For a page behind the last one: leads to the last one.
  Awaitable<Response> beyond_the_end(const Request& request, Query query, const Error& error);
  Awaitable<Response> try_fragment(const Request& request);
  // A product's page. `opened`: see ShownPage.
  Awaitable<Response> list(const Request& request, std::string opened);
  // What is asked of a page. Refers to values that must outlive it.
  struct PageRequest {
    const Query& query;
    std::string_view ui;           // the language of the page
    std::string_view opened = {};  // see ShownPage
    bool own_language = false;
    bool chosen = false;   // by the visitor's Accept-Language
    bool unknown = false;  // the product has neither comments nor facts: a 404 that invites
  };
  // Puts the visitor's languages into the query, where it is to have them, and asks for counts.
  Awaitable<Result<PageRequest>> ask(const Request& request, Query& query,
                                     std::string_view opened) const;
  // The picks of a first page whose only filter is the visitor's languages; none of another page.
  Awaitable<Picks> picks(const PageRequest& asked, const FoundPage& page) const;
  // Adds the comment of these ratings that helped most, if `helped` and one did, at first of those
  // in the page's language; else the newest. Whether there is one.
  Awaitable<bool> pick(const PageRequest& asked, const FoundPage& page,
                       const std::vector<int>& ratings, bool helped, Picks& out) const;
  // Adds the first comment that the query finds, if there is one.
  Awaitable<bool> add_first(const Query& query, bool most_helpful, Picks& out) const;
  // Of a page that finds nothing in a product with comments, the easier questions that find some.
  // Asks at most 16, for a comment each.
  Awaitable<std::vector<Easier>> easier(const Query& query, const FoundPage& page,
                                        const FoundWords& sought) const;
  // The page of comments that was found. `fragment`: null: the whole page.
  Awaitable<Response> show(const Request& request, const PageRequest& asked, const FoundPage& page,
                           const Fragment* fragment = nullptr);
  // Removes the parameters that only fragments have from the request, and returns them.
  Result<Fragment> take_fragment(Request& request) const;

  Comments& comments_;
  Metrics& metrics_;
  const Site& site_;
  const Html& html_;
};

}  // namespace quire::http
