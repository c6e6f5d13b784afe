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
#include "http/templates/values.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

// What head.tpl and masthead.tpl show on every page.
void fill_frame(Values& page, bool demo) {
  static const auto style = Html::file_address("style.css");
  static const auto script = Html::file_address("script.js");
  static const auto icon = Html::file_address("favicon.svg");
  page.set("STYLE_HREF", style);
  page.set("SCRIPT_HREF", script);
  page.set("ICON_HREF", icon);
  if (demo) page.show("DEMO");
}

Response expand(std::string_view name, const Values& page, unsigned status,
                std::string spare = {}) {
  Response response = Html::unrendered();
  response.status = status;
  response.body = fill_template(name, page, std::move(spare));
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

Html::Html(bool demo) : demo_(demo) {
  read_templates();
}

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

Response Html::comments(const ShownPage& page, const std::string& origin, std::string spare) const {
  TemplateValues values;
  fill_frame(values, demo_);
  fill_comments(values, page);
  fill_head(values, page.found, page.query, origin);
  return expand("comments.tpl", values, 200, std::move(spare));
}

Response Html::comment(const Comment& comment) const {
  TemplateValues values;
  fill_frame(values, demo_);
  values.show("NOINDEX");
  fill_alone(values, comment);
  return expand("comments.tpl", values, 200);
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

Values& add_product(Values& list, const std::string& product, const RatingCounts& ratings) {
  auto& row = list.add("PRODUCT");
  row.set("NAME", product);
  row.set("HREF", "/products/" + percent_encode(product));
  row.set("COUNT_TEXT", counted(total(ratings), "comment"));
  row.set("AVERAGE_TEXT", fmt::format("{:.1f}", average(ratings)));
  return row;
}

}  // namespace

Response Html::products(const std::vector<ProductTotal>& products,
                        const std::optional<std::string>& after, bool more) const {
  TemplateValues page;
  fill_frame(page, demo_);
  bool all = !after && !more;
  page.set("TOTAL_TEXT",
           products.empty() ? "No products yet"
           : all            ? counted(products.size(), "product")
                 : fmt::format("{} to {}", products.front().product, products.back().product));
  if (products.empty()) page.show("EMPTY");
  auto* list = products.empty() ? nullptr : &page.add("PRODUCTS");
  for (const auto& product : products) add_product(*list, product.product, product.ratings);
  if (!products.empty()) add_orders(page, {});
  if (after || more) page.show("PAGER");
  if (after) page.set("START_HREF", "/");
  if (more) {
    page.set("NEXT_HREF", "/?after=" + percent_encode(products.back().product));
  }
  return expand("products.tpl", page, 200);
}

Response Html::leaders(const Leaderboard& board, Leaders by) const {
  TemplateValues page;
  fill_frame(page, demo_);
  page.set("TOTAL_TEXT", by == Leaders::average ? "The best rated, adjusted for few ratings"
                                                : "Those with the most five-star ratings");
  fill_as_of(page, board.as_of_ms);
  if (board.leaders.empty()) page.show("EMPTY");
  add_orders(page, by);
  auto* list = board.leaders.empty() ? nullptr : &page.add("PRODUCTS");
  for (const auto& leader : board.leaders) {
    auto& row = add_product(*list, leader.product, leader.ratings);
    if (by == Leaders::five_star) {
      row.set("FIVE_TEXT", grouped(leader.ratings[4]) + " with five stars");
    }
  }
  return expand("products.tpl", page, 200);
}

Response Html::explanation(const Problem& problem) const {
  TemplateValues page;
  fill_frame(page, demo_);
  page.set("TITLE", problem.title);
  page.set("STATUS", problem.status);
  page.add("PARAGRAPH").set("TEXT", problem.text);
  return expand("problem.tpl", page, 200);
}

Response Html::error(const Response& problem, const std::string& request_id) const {
  auto body = boost::json::parse(problem.body).as_object();
  auto text = [&](std::string_view name) { return std::string(body.at(name).as_string()); };
  TemplateValues page;
  fill_frame(page, demo_);
  page.show("NOINDEX");
  page.set("TITLE", text("title"));
  page.set("STATUS", problem.status);
  page.set("DETAIL", text("detail"));
  if (body.contains("parameter")) page.set("PARAMETER", text("parameter"));
  page.set("REQUEST_ID", request_id);
  page.set("TYPE_HREF", text("type"));
  Response response = expand("problem.tpl", page, problem.status);
  response.headers += problem.headers;
  return response;
}

}  // namespace quire::http
