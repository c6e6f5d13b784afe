// The parts of the web pages. Each function fills the values of one part of a template under web/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "http/found_words.h"
#include "http/html/face.h"
#include "http/html/page_links.h"
#include "http/html/product_list.h"
#include "http/html/shown_comment.h"
#include "http/templates/values.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "service/comments.h"
#include "texts/texts.h"

namespace quire::http {

// A question beside one that finds nothing.
struct Easier {
  Query query = {};
  std::string word = {};      // the one of several words that it looks for; empty: it leaves out…
  std::string left_out = {};  // …the conditions under this parameter
  std::uint64_t comments = 0;  // that it finds
};

// The words of a page.
struct ShownWords {
  bool searchable = false;  // words can be asked for
  FoundWords found;         // those that were asked for
};

// Refers to values that must outlive it.
struct ShownPage {
  const Query& query;
  const FoundPage& found;
  const std::vector<ShownComment>& comments;
  const std::vector<FacetStatus>& facets;  // those that can be asked for: language and rating first
  AsOf as_of_ms;                           // of the numbers
  PageLinks links;
  const texts::Texts* texts;
  const Zone* zone;
  const ProductFacts* facts = nullptr;  // what the shop tells of the product; null: nothing
  const Picks* picks = nullptr;         // null: none
  std::string_view opened = {};         // the facet of which all values are shown
  bool own_language = false;            // the visitor's languages were chosen, and not asked for
  ShownWords* words = nullptr;          // null: none can be asked for
  const std::vector<Easier>* easier = nullptr;  // of a page that finds nothing; null: none
  bool unknown = false;                         // nobody has told of the product

  // The product, as visitors know it.
  const std::string& name() const { return facts ? facts->name : query.product; }
};

// A fragment, for a page of the shop.
struct Fragment {
  PageLinks links;
  bool structured = false;  // it has the structured data
};

// The form that filters and sorts: the values of section FILTERS of web/comments.tpl.
void fill_filters(Values& out, const ShownPage& page);

void fill_plan(Values& out, const Explanation& plan, const ShownPage& page);

// The ratings of a product: the values of section SUMMARY of web/comments.tpl.
void fill_summary(Values& out, const ShownPage& page);

// "Size: L", "Size: not L", "Helpful: at least 3", "Verified: No or not stated": what a parameter
// of the filter says.
std::string condition_label(const texts::Texts& texts, const std::vector<FacetStatus>& facets,
                            const std::string& name, const std::string& value);

void fill_chosen(Values& out, const ShownPage& page);

// The query, from its start, with another parameter of its filter.
Query with(const Query& query, const std::string& name, const std::string& value);
// The query without one parameter of its filter.
Query without(const Query& query, const std::string& name, const std::string& value);
// Without all parameters of this name.
Query without(const Query& query, const std::string& name);
// What may find comments where the query finds none: each of several words alone, and the query
// without the conditions of one name, where it has others. At most 8 of each.
std::vector<Easier> easier_than(const Query& query, const std::vector<std::string>& words);

// The canonical address of each page without filter is its own. Pages under a filter, or in another
// sort, ask not to be indexed, and name the first page without filter. `root`: see Site; without
// one a page has no canonical address. `product_url`: the shop's own page of the product; empty: it
// is not told.
void fill_head(Values& head, const ShownPage& shown, const std::string& root,
               const std::string& product_url);

// The same for a fragment: the values of section FRAGMENT of web/comments.tpl but the style.
void fill_fragment(Values& out, const ShownPage& shown, const Fragment& fragment,
                   const std::string& product_url);

// The page of a product's comments: the values of web/comments.tpl.
void fill_comments(Values& out, const ShownPage& page);
// The same template for the page of one comment.
// `name`: of the product.
void fill_alone(Values& out, const Comment& comment, const std::string& name,
                const std::vector<FacetStatus>& facets, const Look& look);

// What else a comment says, of these facets and in their order; of a flag only that it is set: the
// values of section ATTRIBUTES of web/comment.tpl.
void fill_attributes(Values& out, const Comment& comment, const std::vector<Facet>& facets,
                     const texts::Texts& texts);

// What pages show of a product besides its name. A browser loads pictures of the shop's hosts.
// `facts`: null: the shop tells nothing.
void fill_product(Values& out, const Look& look, const ProductFacts* facts);

// The values of web/products.tpl.
void fill_products(Values& page, const Look& look, const ProductList& list,
                   const ProductQuery& query);
// The same for products that are shown because none is found.
void fill_suggested(Values& page, const Look& look, const Leaderboard& board);
void fill_leaders(Values& page, const Look& look, const Leaderboard& board, Leaders by);
// The field to find products, by the beginning of their ids or by name: the values of web/find.tpl.
void fill_find(Values& page, const Look& look, bool by_id, std::string_view sought);

// "20 November 2024, 12:01 UTC", "20 November 2024, 04:01 UTC-08:00". `ms`: since 1970.
std::string minute_text(std::uint64_t ms, const texts::Texts& texts, const Zone& zone);

// Shows the time up to which numbers hold, if they may be behind.
void fill_as_of(Values& out, AsOf as_of_ms, const texts::Texts& texts, const Zone& zone);

void fill_pager(Values& out, const ShownPage& page);

// The numbers that a pager shows: first, last, and those around the present page `number`. 0 stands
// for a gap of at least two numbers.
std::vector<std::uint64_t> pager_numbers(std::uint64_t number, std::uint64_t count);

// The addresses of the neighbouring pages: by number if pages have numbers, else by cursor. Empty
// if there is no such page.
std::string previous_address(const ShownPage& page);
std::string next_address(const ShownPage& page);

// embed.css, the style of what is embedded in pages of the shop: the rules of style.css for what is
// inside an element of the class "quire", then those of web/embed.css. Its layout follows the width
// of that element, not the window's. A shop's colour is not in it. Static storage.
std::string_view embed_style();

}  // namespace quire::http
