#include "http/html/html.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "base/text.h"
#include "http/assets.h"
#include "http/html/labels.h"
#include "http/templates/template.h"
#include "http/templates/values.h"

namespace quire::http {
namespace {

struct File {
  std::string_view name;
  std::string_view type;
};
constexpr File files[] = {
    {"style.css", "text/css; charset=utf-8"},
    {"moderation.css", "text/css; charset=utf-8"},
    {"script.js", "text/javascript; charset=utf-8"},
    {"moderation.js", "text/javascript; charset=utf-8"},
    {"favicon.svg", "image/svg+xml"},
    {"star.svg", "image/svg+xml"},
};

Response expand(const Look& look, std::string_view name, const Values& page, unsigned status,
                std::string spare = {}) {
  Response response = Html::unrendered();
  response.status = status;
  response.body = look.voice->templates.fill(name, page, std::move(spare));
  response.body_left_out = false;
  return response;
}

// The address of a file below the path of the public URL. It contains the file's hash, so caches
// may keep it for ever.
std::string place_of(std::string_view name) {
  return fmt::format("/static/{:016x}/{}", long_hash(asset(name)), name);
}

// The shop's own page of a product. Empty: it is not told.
std::string product_url_of(const Look& look, const std::string& product,
                           const ProductFacts* facts) {
  if (facts && !facts->url.empty()) return facts->url;
  const auto& shop = look.face->shop();
  if (!shop || shop->product_url.empty()) return {};
  return shop::address_for(shop->product_url, product);
}

// The link to the shop's own page, or to the form, where anyone may write.
void fill_write_link(Values& values, const Look& look, const std::string& product,
                     const PageLinks& links) {
  if (!look.invites()) return;
  const auto& shop = *look.face->shop();
  values.set("WRITE_HREF",
             shop.write_url.empty() ? links.review() : shop::address_for(shop.write_url, product));
}

}  // namespace

Response Html::unrendered() {
  return {
      .type = "text/html; charset=utf-8", .caching = Caching::revalidate, .body_left_out = true};
}

Html::Html(bool demo, const shop::ShopFile* shop, std::string path, bool reports)
    : demo_(demo),
      shop_(shop),
      path_(std::move(path)),
      reports_(reports),
      face_(std::make_shared<const Face>(shop ? shop->shop() : nullptr)) {}

std::shared_ptr<const Face> Html::face() const {
  auto shop = shop_ ? shop_->shop() : nullptr;
  std::lock_guard lock(mutex_);
  if (face_->shop() != shop) face_ = std::make_shared<const Face>(std::move(shop));
  return face_;
}

Look Html::look(const Ui& ui) const {
  auto face = this->face();
  const auto& voice = face->voice(ui.language.empty() ? face->language() : ui.language);
  return {std::move(face), &voice, path_, ui.by_address ? "ui=" + ui.language : std::string(),
          reports_,        demo_};
}

Look Html::english() const {
  return look({std::string(texts::first_language)});
}

void Html::fill_frame(Values& page, const Look& look) const {
  static const auto style = place_of("style.css");
  static const auto script = place_of("script.js");
  static const auto icon = place_of("favicon.svg");
  static const auto star = place_of("star.svg");  // of a shop without a logo
  page.set("UI", look.texts().tag());
  page.set("UI_DIR", look.texts().right_to_left() ? "rtl" : "ltr");
  page.set("STYLE_HREF", path_ + style);
  page.set("SCRIPT_HREF", path_ + script);
  auto list = look.links().products();
  page.set("PRODUCTS_HREF", list);
  page.set("PATH", path_);
  if (!look.ui.empty()) page.set("UI_ASKED", look.texts().tag());
  if (demo_) page.show("DEMO");
  const auto& shop = look.face->shop();
  bool named = shop && !shop->name.empty();
  page.set("SITE", named ? std::string_view(shop->name) : "Quire");
  page.set("HOME_HREF", shop && !shop->home.empty() ? shop->home : list);
  if (!named) page.show("MARK");
  page.set("ICON_HREF", path_ + (named ? star : icon));
  if (const auto* file = look.face->file("shop.css"))
    page.set("SHOP_STYLE_HREF", path_ + file->place);
  const auto* logo = look.face->file("logo");
  if (!logo) return page.show("NO_LOGO");
  page.set("LOGO_HREF", path_ + logo->place);
  page.set("ICON_HREF", path_ + logo->place);
}

std::string Html::frame(const Look& look, const std::string& root) const {
  static const std::string assets = [] {
    std::string out = QUIRE_VERSION;
    for (auto name : {"comments.tpl", "comment.tpl", "filters.tpl", "head.tpl", "masthead.tpl",
                      "pager.tpl", "picks.tpl", "plan.tpl", "stars.tpl", "summary.tpl", "style.css",
                      "script.js", "favicon.svg", "star.svg"})
      out += place_of(name);
    return out;
  }();
  const auto& shop = look.face->shop();
  return fmt::format("{}{}{}{}{}{}{}", assets, look.face->file("embed.css")->place,
                     shop ? shop->fingerprint : "", demo_, root, look.texts().tag(), look.ui);
}

std::optional<Response> Html::file(std::string_view name, std::string_view target) const {
  auto caching = [&](const std::string& place) {
    // A page in a cache may ask for an older version of the file. It gets the present one.
    return target == path_ + place ? Caching::forever : Caching::revalidate;
  };
  for (const auto& [known, type] : files)
    if (name == known)
      return Response{.type = type, .shared = asset(known), .caching = caching(place_of(known))};
  auto face = this->face();
  const auto* file = face->file(name);
  if (!file) return {};
  return Response{.type = file->type,
                  .shared = file->bytes,
                  .owner = std::move(face),
                  .caching = caching(file->place),
                  .for_other_origins = name == "embed.css"};
}

Response Html::comments(const Look& look, const ShownPage& page, const std::string& root,
                        std::string spare) const {
  TemplateValues values;
  fill_frame(values, look);
  fill_comments(values, page);
  if (page.unknown) fill_find(values, look, false, "");
  auto product_url = product_url_of(look, page.query.product, page.facts);
  values.set("PRODUCT_HREF", product_url);
  fill_product(values, look, page.facts);
  fill_head(values, page, root, product_url);
  fill_write_link(values, look, page.query.product, page.links);
  values.show("PAGE");
  return expand(look, "comments.tpl", values, 200, std::move(spare));
}

void Html::fill_fragment_frame(Values& page, const Look& look, const std::string& root) const {
  page.set("UI", look.texts().tag());
  page.set("UI_DIR", look.texts().right_to_left() ? "rtl" : "ltr");
  page.set("EMBED_STYLE_HREF", (root.empty() ? path_ : root) + look.face->file("embed.css")->place);
}

Response Html::fragment(const Look& look, const ShownPage& page, const Fragment& fragment,
                        const std::string& root, std::string spare) const {
  TemplateValues values;
  fill_fragment_frame(values, look, root);
  if (!look.ui.empty()) values.set("UI_ASKED", look.texts().tag());
  fill_comments(values, page);
  fill_fragment(values, page, fragment, product_url_of(look, page.query.product, page.facts));
  fill_write_link(values, look, page.query.product, page.links);
  return expand(look, "comments.tpl", values, 200, std::move(spare));
}

Response Html::comment(const Look& look, const Comment& comment, const ProductFacts* facts,
                       const std::vector<FacetStatus>& facets) const {
  TemplateValues values;
  fill_frame(values, look);
  values.show("NOINDEX");
  values.show("PAGE");
  auto shown = comment;
  leave_pictures_of(look.face->shop().get(), shown.media);
  fill_alone(values, shown, facts ? facts->name : comment.product, facets, look);
  values.set("PRODUCT_HREF", product_url_of(look, comment.product, facts));
  fill_product(values, look, facts);
  return expand(look, "comments.tpl", values, 200);
}

Response Html::products(const Look& look, const ProductList& list, const ProductQuery& query,
                        const std::string& canonical, const Leaderboard* best) const {
  TemplateValues page;
  fill_frame(page, look);
  page.set("CANONICAL_HREF", canonical);
  if (!query.find.empty()) page.show("NOINDEX");
  fill_products(page, look, list, query);
  if (best) fill_suggested(page, look, *best);
  return expand(look, "products.tpl", page, 200);
}

Response Html::leaders(const Look& look, const Leaderboard& board, Leaders by,
                       const std::string& canonical) const {
  TemplateValues page;
  fill_frame(page, look);
  page.set("CANONICAL_HREF", canonical);
  fill_leaders(page, look, board, by);
  return expand(look, "products.tpl", page, 200);
}

Response Html::explanation(const Problem& problem) const {
  auto look = english();
  TemplateValues page;
  fill_frame(page, look);
  page.set("TITLE", problem.title);
  page.set("STATUS", problem.status);
  page.show("EXPLAINED");
  page.show("NO_PRODUCT");
  page.add("PARAGRAPH").set("TEXT", problem.text);
  return expand(look, "problem.tpl", page, 200);
}

Response Html::moderation(Values& page, unsigned status) const {
  static const auto style = place_of("moderation.css");
  static const auto script = place_of("moderation.js");
  auto look = english();
  fill_frame(page, look);
  page.show("NOINDEX");
  page.set("MODERATION_STYLE_HREF", path_ + style);
  page.set("MODERATION_SCRIPT_HREF", path_ + script);
  auto response = expand(look, "moderation.tpl", page, status);
  response.caching = Caching::none;
  response.own = true;
  return response;
}

Response Html::review(const Look& look, Values& page, bool fragment, const std::string& root,
                      unsigned status) const {
  if (fragment) {
    page.show("FRAGMENT");
    fill_fragment_frame(page, look, root);
  } else {
    fill_frame(page, look);
    page.show("NOINDEX");
    page.show("PAGE");
  }
  auto response = expand(look, "review.tpl", page, status);
  response.caching = Caching::none;
  response.own = true;
  return response;
}

Response Html::invitation(const Look& look, Values& page, unsigned status) const {
  fill_frame(page, look);
  page.show("NOINDEX");
  auto response = expand(look, "invitation.tpl", page, status);
  response.caching = Caching::none;
  response.own = true;
  return response;
}

Response Html::report(const Look& look, Values& page, unsigned status) const {
  fill_frame(page, look);
  page.show("NOINDEX");
  auto response = expand(look, "report.tpl", page, status);
  response.caching = Caching::none;
  response.own = true;
  return response;
}

// Visitors read a title and advice in their language: the texts problem_SLUG and advice_SLUG, with
// "_" for "-". What developers read is English.
Response Html::error(const Look& look, const Response& problem, const std::string& request_id,
                     const HelpLink& way) const {
  auto body = boost::json::parse(problem.body).as_object();
  auto text = [&](std::string_view name) { return std::string(body.at(name).as_string()); };
  TemplateValues page;
  fill_frame(page, look);
  page.show("NOINDEX");
  auto kind = text("type").substr(text("type").rfind('/'));
  for (auto& each : kind)
    if (each == '/' || each == '-') each = '_';
  const auto* title = look.texts().find("problem" + kind);
  const auto* advice = look.texts().find("advice" + kind);
  page.set("TITLE", title ? *title : text("title"));
  if (!title) page.show("ENGLISH");
  if (advice)
    page.set("ADVICE", *advice);
  else
    page.show("OPEN");
  if (problem.status == 404 && way.href.empty()) fill_find(page, look, false, "");
  page.set("STATUS", problem.status);
  page.set("DETAIL", text("detail"));
  if (body.contains("parameter")) page.set("PARAMETER", text("parameter"));
  page.set("REQUEST_ID", request_id);
  page.set("TYPE_HREF", path_ + text("type"));
  page.set("WAY_HREF", way.href);
  page.set("WAY_LABEL", way.label);
  page.set("PRODUCT", way.product);
  if (way.product.empty()) page.show("NO_PRODUCT");
  page.set("PRODUCT_HREF", way.product_href);
  Response response = expand(look, "problem.tpl", page, problem.status);
  response.headers += problem.headers;
  return response;
}

}  // namespace quire::http
