#include "http/html/html.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "base/text.h"
#include "http/assets.h"
#include "http/html/labels.h"
#include "http/html/parts.h"
#include "http/templates/template.h"
#include "http/templates/values.h"
#include "model/counts.h"

namespace quire::http {
namespace {

Response expand(std::string_view name, const Values& page, unsigned status,
                std::string spare = {}) {
  Response response = Html::unrendered();
  response.status = status;
  response.body = fill_template(name, page, std::move(spare));
  response.body_left_out = false;
  return response;
}

// The address of a file below the path of the public URL.
std::string file_place(std::string_view name) {
  return fmt::format("/static/{:016x}/{}", long_hash(asset(name)), name);
}

}  // namespace

Response Html::unrendered() {
  return {
      .type = "text/html; charset=utf-8", .caching = Caching::revalidate, .body_left_out = true};
}

std::string Html::file_address(std::string_view name) const {
  return path_ + file_place(name);
}

Html::Html(bool demo, const shop::ShopFile* shop, std::string path)
    : demo_(demo), shop_(shop), path_(std::move(path)) {
  read_templates();
}

void Html::fill_frame(Values& page) const {
  static const auto style = file_place("style.css");
  static const auto script = file_place("script.js");
  static const auto icon = file_place("favicon.svg");
  page.set("STYLE_HREF", path_ + style);
  page.set("SCRIPT_HREF", path_ + script);
  page.set("ICON_HREF", path_ + icon);
  page.set("HOME_HREF", path_ + "/");
  page.set("PATH", path_);
  auto shop = shop_ ? shop_->shop() : nullptr;
  bool named = shop && !shop->name.empty();
  page.set("SITE", named ? std::string_view(shop->name) : "Quire");
  if (!named) page.show("MARK");
  if (demo_) page.show("DEMO");
}

std::string Html::frame(const std::string& root) const {
  static const std::string files = [] {
    std::string out = QUIRE_VERSION;
    for (auto name :
         {"comments.tpl", "head.tpl", "masthead.tpl", "style.css", "script.js", "favicon.svg"})
      out += file_place(name);
    return out;
  }();
  auto shop = shop_ ? shop_->shop()->print : std::string();
  return fmt::format("{}{}{}{}", files, shop, demo_, root);
}

Response Html::comments(const ShownPage& page, const std::string& root, std::string spare) const {
  TemplateValues values;
  fill_frame(values);
  fill_comments(values, page);
  fill_head(values, page, root);
  return expand("comments.tpl", values, 200, std::move(spare));
}

Response Html::comment(const Comment& comment, const std::vector<FacetStatus>& facets) const {
  TemplateValues values;
  fill_frame(values);
  values.show("NOINDEX");
  fill_alone(values, comment, facets, links(comment.product));
  return expand("comments.tpl", values, 200);
}

namespace {

void add_orders(Values& page, const std::string& path, std::optional<Leaders> by) {
  struct Order {
    const char* label;
    const char* href;
    std::optional<Leaders> by;
  };
  constexpr Order orders[] = {{"By name", "/", {}},
                              {"Most five-star ratings", "/?by=five_star", Leaders::five_star},
                              {"Best rated", "/?by=average", Leaders::average}};
  auto& section = page.add("ORDERS");
  for (const auto& order : orders) {
    auto& row = section.add("ORDER");
    row.set("LABEL", order.label);
    row.set("HREF", path + order.href);
    if (order.by == by) row.show("CURRENT");
  }
}

Values& add_product(Values& list, const std::string& path, const std::string& product,
                    const RatingCounts& ratings) {
  auto& row = list.add("PRODUCT");
  row.set("NAME", product);
  row.set("HREF", links_of(path, product).self);
  row.set("COUNT_TEXT", counted(total(ratings), "comment"));
  row.set("AVERAGE_TEXT", fmt::format("{:.1f}", average(ratings)));
  return row;
}

void add_products(Values& page, const std::string& path,
                  const std::vector<ProductTotal>& products) {
  if (products.empty()) return;
  auto& section = page.add("PRODUCTS");
  for (const auto& each : products) add_product(section, path, each.product, each.ratings);
}

// "7 products", "product-1 to product-100", "Beginning with “lamp”: 7 products".
std::string range_text(const ProductList& list, const std::string& find, const std::string& after) {
  const auto& products = list.products;
  auto of = find.empty() ? std::string() : "Beginning with “" + find + "”: ";
  if (products.empty()) return find.empty() ? "No products yet" : of + "no product";
  if (after.empty() && list.next.empty()) return of + counted(products.size(), "product");
  return of + products.front().product + " to " + products.back().product;
}

}  // namespace

Response Html::products(const ProductList& list, const std::string& find,
                        const std::string& after) const {
  const auto& products = list.products;
  TemplateValues page;
  fill_frame(page);
  if (!find.empty()) page.show("NOINDEX");
  auto title = find.empty() ? std::string("Products") : "Products that begin with " + find;
  page.set("PAGE_TITLE", after.empty() ? title : title + ", after " + after);
  page.set("TOTAL_TEXT", range_text(list, find, after));
  if (products.empty()) page.show(find.empty() ? Name("EMPTY") : Name("EMPTY_FIND"));
  add_products(page, path_, products);
  if (!products.empty()) add_orders(page, path_, {});
  if (!products.empty() || !find.empty()) page.show("FIND");
  page.set("FIND_VALUE", find);
  auto first = path_ + (find.empty() ? std::string("/") : "/?find=" + percent_encode(find));
  if (!after.empty() || !list.next.empty()) page.show("PAGER");
  if (!after.empty()) page.set("START_HREF", first);
  if (!list.next.empty()) {
    auto base = first + (find.empty() ? "?" : "&") + "after=";
    page.set("NEXT_HREF", base + percent_encode(list.next));
  }
  return expand("products.tpl", page, 200);
}

Response Html::leaders(const Leaderboard& board, Leaders by) const {
  TemplateValues page;
  fill_frame(page);
  page.set("PAGE_TITLE",
           by == Leaders::average ? "Best rated products" : "Products with most five-star ratings");
  page.set("TOTAL_TEXT", by == Leaders::average ? "The best rated, adjusted for few ratings"
                                                : "Those with the most five-star ratings");
  fill_as_of(page, board.as_of_ms);
  if (board.leaders.empty()) page.show("EMPTY");
  add_orders(page, path_, by);
  auto* list = board.leaders.empty() ? nullptr : &page.add("PRODUCTS");
  for (const auto& leader : board.leaders) {
    auto& row = add_product(*list, path_, leader.product, leader.ratings);
    if (by == Leaders::five_star) {
      row.set("FIVE_TEXT", grouped(leader.ratings[4]) + " with five stars");
    }
  }
  return expand("products.tpl", page, 200);
}

Response Html::explanation(const Problem& problem) const {
  TemplateValues page;
  fill_frame(page);
  page.set("TITLE", problem.title);
  page.set("STATUS", problem.status);
  page.add("PARAGRAPH").set("TEXT", problem.text);
  return expand("problem.tpl", page, 200);
}

Response Html::moderation(Values& page, unsigned status) const {
  fill_frame(page);
  page.show("NOINDEX");
  auto response = expand("moderation.tpl", page, status);
  response.caching = Caching::none;
  response.own = true;
  return response;
}

Response Html::error(const Response& problem, const std::string& request_id,
                     const std::string& last_page) const {
  auto body = boost::json::parse(problem.body).as_object();
  auto text = [&](std::string_view name) { return std::string(body.at(name).as_string()); };
  TemplateValues page;
  fill_frame(page);
  page.show("NOINDEX");
  page.set("TITLE", text("title"));
  page.set("STATUS", problem.status);
  page.set("DETAIL", text("detail"));
  if (body.contains("parameter")) page.set("PARAMETER", text("parameter"));
  page.set("REQUEST_ID", request_id);
  page.set("TYPE_HREF", path_ + text("type"));
  page.set("LAST_HREF", last_page);
  Response response = expand("problem.tpl", page, problem.status);
  response.headers += problem.headers;
  return response;
}

}  // namespace quire::http
