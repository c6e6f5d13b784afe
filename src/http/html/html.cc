#include "http/html/html.h"

#include <ctemplate/template.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <boost/json.hpp>

#include "base/percent.h"
#include "http/assets.h"
#include "http/html/comments_html.h"
#include "http/html/head_html.h"
#include "http/html/labels.h"
#include "http/html/templates.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

ctemplate::TemplateDictionary* add_frame(ctemplate::TemplateDictionary& page, bool demo) {
  auto* head = page.AddIncludeDictionary("HEAD");
  head->SetFilename("head.tpl");
  head->SetValue("STYLE_HREF", Html::file_address("style.css"));
  head->SetValue("SCRIPT_HREF", Html::file_address("script.js"));
  head->SetValue("ICON_HREF", Html::file_address("favicon.svg"));
  auto* masthead = page.AddIncludeDictionary("MASTHEAD");
  masthead->SetFilename("masthead.tpl");
  if (demo) masthead->ShowSection("DEMO");
  return head;
}

Response expand(std::string_view name, const ctemplate::TemplateDictionary& page, unsigned status) {
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
  ctemplate::TemplateDictionary dictionary("comments");
  auto* head = add_frame(dictionary, demo_);
  fill_comments(dictionary, page);
  fill_head(*head, page, origin);
  return expand("comments.tpl", dictionary, 200);
}

Response Html::comment(const Comment& comment, const std::vector<FacetStatus>& facets) const {
  ctemplate::TemplateDictionary dictionary("comment");
  add_frame(dictionary, demo_)->ShowSection("NOINDEX");
  fill_alone(dictionary, comment, facets);
  return expand("comments.tpl", dictionary, 200);
}

namespace {

void add_orders(ctemplate::TemplateDictionary& page, std::optional<Leaders> by) {
  struct Order {
    const char* label;
    const char* href;
    std::optional<Leaders> by;
  };
  constexpr Order orders[] = {{"By name", "/", {}},
                              {"Most five-star ratings", "/?by=five_star", Leaders::five_star},
                              {"Best rated", "/?by=average", Leaders::average}};
  auto* section = page.AddSectionDictionary("ORDERS");
  for (const auto& order : orders) {
    auto* row = section->AddSectionDictionary("ORDER");
    row->SetValue("LABEL", order.label);
    row->SetValue("HREF", order.href);
    if (order.by == by) row->ShowSection("CURRENT");
  }
}

ctemplate::TemplateDictionary* add_product(ctemplate::TemplateDictionary& list,
                                           const std::string& product,
                                           const RatingCounts& ratings) {
  auto* row = list.AddSectionDictionary("PRODUCT");
  row->SetValue("NAME", product);
  row->SetValue("HREF", "/products/" + percent_encode(product));
  row->SetValue("COUNT_TEXT", counted(total(ratings), "comment"));
  row->SetValueAndShowSection("AVERAGE_TEXT", fmt::format("{:.1f}", average(ratings)),
                              "HAS_AVERAGE");
  return row;
}

void add_products(ctemplate::TemplateDictionary& page, const std::vector<ProductTotal>& products) {
  if (products.empty()) return;
  auto* section = page.AddSectionDictionary("PRODUCTS");
  for (const auto& each : products) add_product(*section, each.product, each.ratings);
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
  ctemplate::TemplateDictionary page("products");
  auto* head = add_frame(page, demo_);
  if (!find.empty()) head->ShowSection("NOINDEX");
  auto title = find.empty() ? std::string("Products") : "Products that begin with " + find;
  page.SetValue("PAGE_TITLE", after.empty() ? title : title + ", after " + after);
  page.SetValue("TOTAL_TEXT", range_text(list, find, after));
  if (products.empty()) page.ShowSection(find.empty() ? "EMPTY" : "EMPTY_FIND");
  add_products(page, products);
  if (!products.empty()) add_orders(page, {});
  if (!products.empty() || !find.empty()) {
    page.ShowSection("FIND");
    page.SetValue("FIND_VALUE", find);
  }
  auto first = find.empty() ? std::string("/") : "/?find=" + percent_encode(find);
  if (!after.empty() || list.more) page.ShowSection("PAGER");
  if (!after.empty()) page.SetValueAndShowSection("PREVIOUS_HREF", first, "HAS_PREVIOUS");
  if (list.more) {
    auto next =
        (find.empty() ? "/?" : first + "&") + "after=" + percent_encode(products.back().product);
    page.SetValueAndShowSection("NEXT_HREF", next, "HAS_NEXT");
  }
  return expand("products.tpl", page, 200);
}

Response Html::leaders(const Leaderboard& board, Leaders by) const {
  ctemplate::TemplateDictionary page("products");
  add_frame(page, demo_);
  page.SetValue("PAGE_TITLE", by == Leaders::average ? "Best rated products"
                                                     : "Products with most five-star ratings");
  page.SetValue("TOTAL_TEXT", by == Leaders::average ? "The best rated, adjusted for few ratings"
                                                     : "Those with the most five-star ratings");
  fill_as_of(page, board.as_of_ms);
  if (board.leaders.empty()) page.ShowSection("EMPTY");
  add_orders(page, by);
  auto* list = board.leaders.empty() ? nullptr : page.AddSectionDictionary("PRODUCTS");
  for (const auto& leader : board.leaders) {
    auto* row = add_product(*list, leader.product, leader.ratings);
    if (by == Leaders::five_star) {
      row->SetValueAndShowSection("FIVE_TEXT", grouped(leader.ratings[4]) + " with five stars",
                                  "HAS_FIVE");
    }
  }
  return expand("products.tpl", page, 200);
}

Response Html::explanation(const Problem& problem) const {
  ctemplate::TemplateDictionary page("problem");
  add_frame(page, demo_);
  page.SetValue("TITLE", problem.title);
  page.SetIntValue("STATUS", problem.status);
  page.AddSectionDictionary("PARAGRAPH")->SetValue("TEXT", problem.text);
  return expand("problem.tpl", page, 200);
}

Response Html::error(const Response& problem, const std::string& request_id) const {
  auto body = boost::json::parse(problem.body).as_object();
  auto text = [&](std::string_view name) { return std::string(body.at(name).as_string()); };
  ctemplate::TemplateDictionary page("problem");
  add_frame(page, demo_)->ShowSection("NOINDEX");
  page.SetValue("TITLE", text("title"));
  page.SetIntValue("STATUS", problem.status);
  page.SetValueAndShowSection("DETAIL", text("detail"), "HAS_DETAIL");
  if (body.contains("parameter"))
    page.SetValueAndShowSection("PARAMETER", text("parameter"), "HAS_PARAMETER");
  page.SetValueAndShowSection("REQUEST_ID", request_id, "HAS_REQUEST_ID");
  page.SetValueAndShowSection("TYPE_HREF", text("type"), "HAS_TYPE");
  Response response = expand("problem.tpl", page, problem.status);
  response.headers += problem.headers;
  return response;
}

}  // namespace quire::http
