// What a shop decides: its name, who writes, and which comments wait for a moderator. Read from the
// shop file, which docs/shop.md describes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/zone.h"
#include "identity/signed_token.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "shop/phrases.h"
#include "texts/languages.h"
#include "webhook/webhook.h"

namespace quire::shop {

// Which comments wait until a moderator publishes them.
enum class Hold { none, all, rules };

// Who may write, besides those who have a token.
enum class Writers {
  nobody,
  customers,  // with a signed token or an invitation
  anyone,
};

// The place of the product's id in Shop::product_url and Shop::write_url.
inline constexpr std::string_view product_place = "{product}";

// The address of such a template for a product.
std::string address_for(std::string_view pattern, std::string_view product);

struct Logo {
  std::string_view type = {};  // "image/svg+xml"
  std::string bytes = {};      // empty: there is none
};

// Immutable once it is read, so thread-safe.
struct Shop {
  std::string name = {};  // empty: the pages have Quire's
  Logo logo = {};
  std::string style = {};        // a style sheet behind that of the pages
  std::string embed_style = {};  // the same of what is embedded in the shop's own pages
  std::string home = {};         // where the shop's own pages are; empty: not told
  std::string product_url = {};  // a product's page of the shop, with {product}; empty: not told
  std::string language = {};     // of visitors whose languages have no texts; empty: English
  Zone zone = {};                // whose days pages show
  bool visitor_language =
      false;  // a product's page begins with comments in the visitor's languages
  std::shared_ptr<const texts::Languages> languages = {};  // null: those that are built in
  // Whether anyone may read the published comments of all products in one list and one feed.
  bool public_lists = false;
  // Origins of the shop's own pages, which may embed and ask this service from a browser.
  std::vector<std::string> embed = {};
  Hold hold = Hold::none;
  bool first = false;  // the rules of Hold::rules
  bool links = false;
  Phrases words = {};
  int reports = 0;  // reports of so many people put a comment back to pending; 0: never
  Writers who = Writers::nobody;
  // Where the shop's customers write, perhaps with {product}; empty: Quire's form, for anyone.
  std::string write_url = {};
  bool once = false;                     // one comment of a customer for a product
  std::vector<std::string> fields = {};  // attributes that customers may fill in
  int edit_days = 0;  // so long from its time customers may change their own comment
  std::vector<std::string> picture_hosts = {};
  bool votes = false;        // customers say whether a comment was helpful
  bool google_feed = false;  // the server makes Google's feed of product reviews
  std::vector<identity::Issuer> issuers = {};
  bool changes = false;  // the store keeps a log of events, which programs follow
  std::vector<webhook::Webhook> webhooks = {};  // at most 16, each with its own name
  std::vector<std::string> warnings =
      {};  // what is no fault, and may be a mistake: a sentence each
  // Another shop file has another fingerprint, whatever is in files of secrets. Empty: there is no
  // shop file.
  std::string fingerprint = {};

  // The rule that holds this comment back: "all", "first", "links" or "words". Absent: it is
  // published. Author, title, text and the texts of attributes are looked at, each by itself.
  // `known`: whether a published comment of this writer is known.
  std::optional<std::string_view> holds(const Comment& comment, bool known = true) const;
  // The listed words in it, as it writes them: the first that are found. Empty: there are none.
  // They are a part of the comment.
  std::string_view listed_in(const Comment& comment) const;
  // What of `before` was stricter, a sentence each with both values: who is seen, and who may
  // write.
  std::vector<std::string> looser_than(const Shop& before) const;
  // Whether this is the address of a picture at one of its hosts.
  bool has_picture(const std::string& url) const;
};

// Reads a shop file, and the files that it names, whose paths are relative to it.
// invalid_parameter: a file cannot be read or has faults. The message has a line for each, such as
// "shop.toml:3: …", at most 20.
Result<Shop> read(const std::string& path);

// Whether a program that shows texts would make a link of something in this UTF-8 text:
//   - an address with its scheme: "https://shop.example", also "ftp://…"
//   - "www." before a name
//   - a name with a path: "bit.ly/3x" (its last part is of two letters or more)
//   - a name that ends in com, net, org, info, biz, xyz, edu or gov: "shop.com"
//   - a mail address: "ann@shop.example"
//   - markup: "[url=", "[url]", "<a " followed by its attributes
// A name's last part is written in small or in capital letters alone, so that a missing space is no
// link: "It is good.Com/fort matters". Nor are "e.g.", "3.5", "and/or" and "Node.js". Takes time in
// proportion to the text's length.
bool has_link(std::string_view text);

}  // namespace quire::shop
