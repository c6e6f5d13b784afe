// How web pages look to a visitor: the shop's face, in the visitor's language.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "http/html/page_links.h"
#include "http/message.h"
#include "http/templates/template.h"
#include "shop/shop_file.h"
#include "texts/languages.h"

namespace quire::http {

// A language of the pages: its texts, and the templates with them.
struct Voice {
  std::shared_ptr<const texts::Texts> texts;
  Templates templates;
};

// A file that depends on the shop.
struct ShopFace {
  std::string bytes;
  std::string_view type;
  std::string place;  // its address below the path of the public URL
};

// What a shop file makes of the pages. Thread-safe.
class Face {
 public:
  // `shop`: null: there is none.
  explicit Face(std::shared_ptr<const shop::Shop> shop);

  const std::shared_ptr<const shop::Shop>& shop() const { return shop_; }
  const texts::Languages& languages() const { return *languages_; }
  // The language of those who ask for none of them.
  std::string_view language() const { return language_; }
  // Reads the templates of a language when it is first asked for.
  const Voice& voice(std::string_view tag) const;
  // "embed.css"; or "shop.css" or "logo", null: the shop has none.
  const ShopFace* file(std::string_view name) const;

 private:
  const std::shared_ptr<const shop::Shop> shop_;
  std::shared_ptr<const texts::Languages> languages_;
  std::string language_;
  std::map<std::string_view, ShopFace> files_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Voice, std::less<>> voices_;  // guarded by mutex_; none goes
};

// The face, and the voice in which it speaks to one visitor.
struct Look {
  std::shared_ptr<const Face> face;
  const Voice* voice;
  std::string path;  // of the public URL
  std::string ui;    // see PageLinks
  bool reports;      // comments can be reported
  bool demo;

  const texts::Texts& texts() const { return *voice->texts; }
  // Whether a product's page has a link to write: to the shop's own page, or to the form, where
  // anyone may write.
  bool invites() const {
    const auto& shop = face->shop();
    return shop && (!shop->write_url.empty() || shop->who == shop::Writers::anyone);
  }
  // Whose days the pages show. Lives as long as the face.
  const Zone& zone() const;
  PageLinks links(const std::string& product = {}) const { return links(product, {}); }
  // Those of a fragment: a page of the shop has other addresses, so they are whole URLs where the
  // root is known. `root`: see Site.
  PageLinks links(const std::string& product, const std::string& root) const {
    auto links = links_of(root.empty() ? path : root, product, ui);
    links.reports = reports;
    links.demo = demo;
    if (face->shop() && face->shop()->visitor_language) links.any_language = "language=*";
    return links;
  }
};

// The language that a page speaks to this visitor: that of `ui` in its address, else the best of
// Accept-Language, else the shop's.
Ui ui_of(const Face& face, std::string_view target, std::string_view accept_language);

}  // namespace quire::http
