// Renders the web pages from the templates under web/.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/html/face.h"
#include "http/html/parts.h"
#include "http/html/product_list.h"
#include "http/message.h"
#include "http/problem.h"
#include "service/comments.h"
#include "shop/shop_file.h"

namespace quire::http {

// A link to a page that helps a visitor, and its text. Without an address there is none.
struct HelpLink {
  std::string label = {};
  std::string href = {};
  std::string product = {};  // the name of the product that the page is of; empty: it is not known
  std::string product_href = {};
};

// Thread-safe.
class Html {
 public:
  // `demo`: each page says that anyone may post. `shop`: must outlive this; null: there is none.
  // `path`: of the public URL, below which all addresses are: "/reviews", or empty. `reports`:
  // comments can be reported.
  Html(bool demo, const shop::ShopFile* shop, std::string path = {}, bool reports = false);
  bool demo() const { return demo_; }

  // As the shop file says now.
  std::shared_ptr<const Face> face() const;
  // The look of pages for the visitor whom `ui` describes.
  Look look(const Ui& ui = {}) const;
  // The look of pages that speak English alone.
  Look english() const;

  // The response of a page without its body: media type and caching.
  static Response unrendered();
  // A text that changes with what all pages show besides their data: templates, files, settings and
  // language. It is a part of each page's tag.
  std::string frame(const Look& look, const std::string& root) const;
  // `root`: of absolute URLs, see Site. `spare`: see Request.
  Response comments(const Look& look, const ShownPage& page, const std::string& root,
                    std::string spare) const;
  // The same for a page of the shop to show.
  Response fragment(const Look& look, const ShownPage& page, const Fragment& fragment,
                    const std::string& root, std::string spare) const;
  // The page of one comment, with its whole text. `facts`: see ShownPage.
  Response comment(const Look& look, const Comment& comment, const ProductFacts* facts,
                   const std::vector<FacetStatus>& facets) const;
  // The page of products that the query asks for. `canonical`: its address for search engines;
  // empty: it has none. `best`: shown in place of a list that is empty; null: nothing is.
  Response products(const Look& look, const ProductList& list, const ProductQuery& query,
                    const std::string& canonical = {}, const Leaderboard* best = nullptr) const;
  Response leaders(const Look& look, const Leaderboard& board, Leaders by,
                   const std::string& canonical = {}) const;
  // The page that explains a kind of problem, in English.
  Response explanation(const Problem& problem) const;
  // The page that shows a problem, made of the problem's JSON.
  Response error(const Look& look, const Response& problem, const std::string& request_id,
                 const HelpLink& way = {}) const;

  // The page of moderators, in English. `page` has its values.
  Response moderation(Values& page, unsigned status) const;

  // The form for comments. `page` has its values; a fragment has no page around it.
  Response review(const Look& look, Values& page, bool fragment, const std::string& root,
                  unsigned status) const;

  // The page of an invitation's products. `page` has its values.
  Response invitation(const Look& look, Values& page, unsigned status) const;

  // The form for a report of a comment. `page` has its values.
  Response report(const Look& look, Values& page, unsigned status) const;

  // A file of the pages, at its address below the path of the public URL. Absent: there is none.
  std::optional<Response> file(std::string_view name, std::string_view target) const;

 private:
  // What head.tpl and masthead.tpl show on every page.
  void fill_frame(Values& page, const Look& look) const;
  // The same for a fragment.
  void fill_fragment_frame(Values& page, const Look& look, const std::string& root) const;
  bool demo_;
  const shop::ShopFile* shop_;
  const std::string path_;
  const bool reports_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Face> face_;  // guarded by mutex_
};

}  // namespace quire::http
