#include "http/html.h"

#include <ctemplate/template.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <boost/json.hpp>

#include "base/percent.h"
#include "http/assets.h"
#include "http/comments_html.h"

namespace quire::http {
namespace {

constexpr std::string_view time_mark = "\x01";  // nothing else on a page holds it
constexpr std::string_view templates[] = {"head.tpl", "masthead.tpl", "comments.tpl",
                                          "products.tpl", "problem.tpl"};

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
  Response response{
      .status = status, .type = "text/html; charset=utf-8", .caching = Caching::revalidate};
  ctemplate::ExpandTemplate(std::string(name), ctemplate::STRIP_BLANK_LINES, &page, &response.body);
  response.add("Content-Security-Policy",
               "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
               "form-action 'self'; "
               "base-uri 'none'; frame-ancestors 'none'");
  response.add("Referrer-Policy", "strict-origin-when-cross-origin");
  return response;
}

}  // namespace

std::string Html::file_address(std::string_view name) {
  auto bytes = asset(name);
  return fmt::format("/static/{:016x}/{}", XXH3_64bits(bytes.data(), bytes.size()), name);
}

Html::Html(bool demo) : demo_(demo) {
  for (auto name : templates) {
    // Refused if an earlier object has put it there: the cache is the process's.
    auto text = asset(name);
    ctemplate::StringToTemplateCache(std::string(name), text.data(), text.size(),
                                     ctemplate::STRIP_BLANK_LINES);
  }
}

Response Html::comments(const FoundPage& page, const Query& query,
                        std::chrono::microseconds took) const {
  ctemplate::TemplateDictionary dictionary("comments");
  fill_comments(dictionary, *add_frame(dictionary, demo_), page, query, time_mark);
  Response response = expand("comments.tpl", dictionary, 200);
  // The time it took says nothing of the page, so the tag is of the page without it, and weak.
  response.tag =
      fmt::format("W/\"{:016x}\"", XXH3_64bits(response.body.data(), response.body.size()));
  auto mark = response.body.find(time_mark);
  if (mark != response.body.npos)
    response.body.replace(mark, time_mark.size(), std::to_string(took.count()));
  return response;
}

Response Html::products(const std::vector<ProductTotal>& products,
                        const std::optional<std::string>& after, bool more) const {
  ctemplate::TemplateDictionary page("products");
  add_frame(page, demo_);
  bool all = !after && !more;
  page.SetValue("TOTAL_TEXT",
                products.empty() ? "No products yet"
                : all            ? counted(products.size(), "product")
                      : fmt::format("{} to {}", products.front().product, products.back().product));
  if (products.empty()) page.ShowSection("EMPTY");
  auto* list = products.empty() ? nullptr : page.AddSectionDictionary("PRODUCTS");
  for (const auto& product : products) {
    auto* row = list->AddSectionDictionary("PRODUCT");
    row->SetValue("NAME", product.product);
    row->SetValue("HREF", "/products/" + percent_encode(product.product));
    row->SetValue("COUNT_TEXT", counted(product.comments, "comment"));
  }
  if (after || more) page.ShowSection("PAGER");
  if (after) page.SetValueAndShowSection("PREVIOUS_HREF", "/", "HAS_PREVIOUS");
  if (more) {
    page.SetValueAndShowSection("NEXT_HREF", "/?after=" + percent_encode(products.back().product),
                                "HAS_NEXT");
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
