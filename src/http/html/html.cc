#include "http/html/html.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <boost/json.hpp>

#include "base/percent.h"
#include "http/assets.h"
#include "http/html/comments_html.h"
#include "http/html/head_html.h"
#include "http/html/labels.h"
#include "http/templates/templates.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

Values* add_frame(Values& page, bool demo) {
  auto* head = page.AddIncludeDictionary("HEAD");
  head->SetFilename("head.tpl");
  head->set("STYLE_HREF", Html::file_address("style.css"));
  head->set("SCRIPT_HREF", Html::file_address("script.js"));
  head->set("ICON_HREF", Html::file_address("favicon.svg"));
  auto* masthead = page.AddIncludeDictionary("MASTHEAD");
  masthead->SetFilename("masthead.tpl");
  if (demo) masthead->show("DEMO");
  return head;
}

Response expand(std::string_view name, const Values& page, unsigned status) {
  Response response = Html::unrendered();
  response.status = status;
  response.body = fill_template(name, page);
  response.body_left_out = false;
  return response;
}

}  // namespace

Response Html::unrendered() {
  return {
      .type = "text/html; charset=utf-8", .caching = Caching::revalidate, .body_left_out = true};
}

std::string Html::file_address(std::string_view name) {
  auto bytes = asset(name);
  return fmt::format("/static/{:016x}/{}", XXH3_64bits(bytes.data(), bytes.size()), name);
}

Html::Html(bool demo) : demo_(demo) {}

std::string Html::frame(const std::string& origin) const {
  static const std::string files = [] {
    std::string out = QUIRE_VERSION;
    for (auto name :
         {"comments.tpl", "head.tpl", "masthead.tpl", "style.css", "script.js", "favicon.svg"})
      out += file_address(name);
    return out;
  }();
  return fmt::format("{}{}{}", files, demo_, origin);
}

Response Html::comments(const ShownPage& page, const std::string& origin) const {
  Values dictionary("comments");
  auto* head = add_frame(dictionary, demo_);
  fill_comments(dictionary, page);
  fill_head(*head, page, origin);
  return expand("comments.tpl", dictionary, 200);
}

Response Html::comment(const Comment& comment, const std::vector<FacetStatus>& facets) const {
  Values dictionary("comment");
  add_frame(dictionary, demo_)->show("NOINDEX");
  fill_alone(dictionary, comment, facets);
  return expand("comments.tpl", dictionary, 200);
}

namespace {

void add_orders(Values& page, std::optional<Leaders> by) {
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
    row.set("HREF", order.href);
    if (order.by == by) row.show("CURRENT");
  }
}

Values* add_product(Values& list,
                                           const std::string& product,
                                           const RatingCounts& ratings) {
  auto& row = list.add("PRODUCT");
  row.set("NAME", product);
  row.set("HREF", "/products/" + percent_encode(product));
  row.set("COUNT_TEXT", counted(total(ratings), "comment"));
  row.set("AVERAGE_TEXT", fmt::format("{:.1f}", average(ratings)));
  return row;
}

void add_products(Values& page, const std::vector<ProductTotal>& products) {
  if (products.empty()) return;
  auto& section = page.add("PRODUCTS");
  for (const auto& each : products) add_product(section, each.product, each.ratings);
}

// "7 products", "product-1 to product-100", "Beginning with “lamp”: 7 products".
std::string range_text(const ProductList& list, const std::string& find, const std::string& after) {
  const auto& products = list.products;
  auto of = find.empty() ? std::string() : "Beginning with “" + find + "”: ";
  if (products.empty()) return find.empty() ? "No products yet" : of + "no product";
  if (after.empty() && !list.more) return of + counted(products.size(), "product");
  return of + products.front().product + " to " + products.back().product;
}

}  // namespace

Response Html::products(const ProductList& list, const std::string& find,
                        const std::string& after) const {
  const auto& products = list.products;
  Values page("products");
  auto* head = add_frame(page, demo_);
  if (!find.empty()) head->show("NOINDEX");
  auto title = find.empty() ? std::string("Products") : "Products that begin with " + find;
  page.set("PAGE_TITLE", after.empty() ? title : title + ", after " + after);
  page.set("TOTAL_TEXT", range_text(list, find, after));
  if (products.empty()) page.show(find.empty() ? "EMPTY" : "EMPTY_FIND");
  add_products(page, products);
  if (!products.empty()) add_orders(page, {});
  if (!products.empty() || !find.empty()) {
    page.show("FIND");
    page.set("FIND_VALUE", find);
  }
  auto first = find.empty() ? std::string("/") : "/?find=" + percent_encode(find);
  if (!after.empty() || list.more) page.show("PAGER");
  if (!after.empty()) page.set("PREVIOUS_HREF", first);
  if (list.more) {
    auto next =
        (find.empty() ? "/?" : first + "&") + "after=" + percent_encode(products.back().product);
    page.set("NEXT_HREF", next);
  }
  return expand("products.tpl", page, 200);
}

Response Html::leaders(const Leaderboard& board, Leaders by) const {
  Values page("products");
  add_frame(page, demo_);
  page.set("PAGE_TITLE", by == Leaders::average ? "Best rated products"
                                                     : "Products with most five-star ratings");
  page.set("TOTAL_TEXT", by == Leaders::average ? "The best rated, adjusted for few ratings"
                                                     : "Those with the most five-star ratings");
  fill_as_of(page, board.as_of_ms);
  if (board.leaders.empty()) page.show("EMPTY");
  add_orders(page, by);
  auto* list = board.leaders.empty() ? nullptr : page.add("PRODUCTS");
  for (const auto& leader : board.leaders) {
    auto* row = add_product(*list, leader.product, leader.ratings);
    if (by == Leaders::five_star) {
      row.set("FIVE_TEXT", grouped(leader.ratings[4]) + " with five stars");
    }
  }
  return expand("products.tpl", page, 200);
}

Response Html::explanation(const Problem& problem) const {
  Values page("problem");
  add_frame(page, demo_);
  page.set("TITLE", problem.title);
  page.set("STATUS", problem.status);
  page.add("PARAGRAPH").set("TEXT", problem.text);
  return expand("problem.tpl", page, 200);
}

Response Html::error(const Response& problem, const std::string& request_id) const {
  auto body = boost::json::parse(problem.body).as_object();
  auto text = [&](std::string_view name) { return std::string(body.at(name).as_string()); };
  Values page("problem");
  add_frame(page, demo_)->show("NOINDEX");
  page.set("TITLE", text("title"));
  page.set("STATUS", problem.status);
  page.set("DETAIL", text("detail"));
  if (body.contains("parameter"))
    page.set("PARAMETER", text("parameter"));
  page.set("REQUEST_ID", request_id);
  page.set("TYPE_HREF", text("type"));
  Response response = expand("problem.tpl", page, problem.status);
  response.headers += problem.headers;
  return response;
}

}  // namespace quire::http
