#include "http/application/routes.h"

#include <fmt/format.h>

#include <type_traits>

#include "http/accept.h"
#include "http/api/changes_api.h"
#include "http/api/comments_api.h"
#include "http/application/description.h"
#include "http/query.h"

namespace quire::http {
namespace {

template <class Handler>
Handler* handler_of(Awaitable<Response> (Handler::*)(const Request&));
template <auto function>
using HandlerOf = std::remove_pointer_t<decltype(handler_of(function))>;

// A function that calls this function of its handler.
template <auto function>
Awaitable<Response> call(Handlers& handlers, const Request& request) {
  return (handlers.of<HandlerOf<function>>().*function)(request);
}

Awaitable<Response> call_openapi(Handlers&, const Request& request) {
  return openapi(request);
}

constexpr OpenTo scripts{.scripts = true};

using By = Entrance::By;
using Body = Entrance::Body;
using desk::Deed;

const Names import_parameters = {"update", "again", "new_customers"};

// Entrances of those whom the header names.
Entrance to(Deed deed, Body body = Body::none) {
  return {By::header, deed, body};
}

// Reads that the page cache keeps.
template <auto function>
Route kept(std::string_view pattern, About about) {
  return {.method = Verb::get,
          .pattern = pattern,
          .handler = call<function>,
          .about = about,
          .open = scripts};
}

// A route that scripts of the shop's pages may ask.
Route shared(Route route) {
  route.open.scripts = true;
  return route;
}

// The same, which they may frame, too.
Route framed(Route route) {
  route.open = {true, true};
  return route;
}

// The list of all, which a token opens, or the shop to anyone.
Route listed(Route route) {
  route.entrance = to(Deed::read_all);
  return route;
}

// The same of its feed, whose token is in the address.
Route fed(Route route) {
  route.entrance = {By::address, Deed::read_feed};
  return route;
}

// Web pages, and the documents beside them. `parameters`: see Route.
template <auto function>
Route page(std::string_view pattern, Names parameters, About about = About::other) {
  using Handler = HandlerOf<function>;
  return {.method = Verb::get,
          .pattern = pattern,
          .handler = call<function>,
          .html = std::is_same_v<Handler, WebPages> || std::is_same_v<Handler, FormPages> ||
                  std::is_same_v<Handler, ReportPages>,
          .about = about,
          .ignores = true,
          .parameters = parameters,
          .open = {!std::is_same_v<Handler, ModerationPages>}};
}

// A route that takes a few fields alone.
Route brief(Route route) {
  route.max_body = few_fields;
  return route;
}

// A route whose body has any length.
Route streamed(Route route) {
  route.streams = true;
  return route;
}

// Forms of moderators.
template <auto function, Deed deed = Deed::decide>
Route form(std::string_view pattern) {
  return {Verb::post, pattern, call<function>, {By::session, deed, Body::form}};
}

// A page of moderators, who sign in there.
Route in_session(Route route) {
  route.entrance = {By::session, Deed::read_queue};
  return route;
}

// What operators ask.
template <auto function>
Route operations(std::string_view pattern) {
  return {.method = Verb::get, .pattern = pattern, .handler = call<function>, .operations = true};
}

// What programs ask.
std::vector<Route> interface_routes() {
  return {
      kept<&CommentsApi::list>("/v1/products/{product}/comments", About::product),
      shared({Verb::post, "/v1/products/{product}/comments", call<&CommentsApi::post>,
              to(Deed::post, Body::json)}),
      shared({Verb::get,
              "/v1/comments/{id}",
              call<&CommentsApi::get>,
              {By::header_or_none, Deed::read_queue}}),
      kept<&CommentsApi::page_number>("/v1/comments/{id}/page", About::store),
      shared({Verb::patch, "/v1/comments/{id}", call<&CommentsApi::patch>,
              to(Deed::edit, Body::patch)}),
      shared({Verb::delete_, "/v1/comments/{id}", call<&CommentsApi::remove>, to(Deed::remove)}),
      {Verb::put, "/v1/comments/{id}/reply", call<&RepliesApi::put>, to(Deed::reply, Body::json)},
      {Verb::delete_, "/v1/comments/{id}/reply", call<&RepliesApi::remove>, to(Deed::reply)},
      brief(shared(
          {Verb::put, "/v1/comments/{id}/vote", call<&VotesApi::put>, to(Deed::vote, Body::json)})),
      shared({Verb::delete_, "/v1/comments/{id}/vote", call<&VotesApi::remove>, to(Deed::vote)}),
      shared({Verb::post, "/v1/comments/{id}/reports", call<&ModerationApi::report>,
              to(Deed::report, Body::json)}),
      shared(
          {Verb::get, "/v1/me/comments", call<&CustomersApi::own>, {By::header, Deed::read_own}}),
      shared({Verb::get, "/v1/me/votes", call<&VotesApi::own>, {By::header, Deed::read_own}}),
      {Verb::post, "/v1/invitations", call<&CustomersApi::invite>, to(Deed::invite, Body::json)},
      {Verb::post, "/v1/customers/export", call<&CustomersApi::export_kept>,
       to(Deed::export_customer, Body::json)},
      {Verb::post, "/v1/customers/erase", call<&CustomersApi::erase>,
       to(Deed::erase_customer, Body::json)},
      {Verb::get, "/v1/changes", call<&ChangesApi::list>, {By::header, Deed::read_changes}},
      streamed({Verb::post,
                "/v1/import",
                call<&ImportApi::take>,
                {By::header, Deed::import, Body::lines, import_parameters}}),
      listed(kept<&ListApi::list>("/v1/comments", About::store)),
      {Verb::get,
       "/v1/moderation/comments",
       call<&ModerationApi::queue>,
       {By::header, Deed::read_queue}},
      {Verb::post, "/v1/moderation/decisions", call<&ModerationApi::decide>,
       to(Deed::decide, Body::json)},
      brief({Verb::post, "/v1/moderation/undo", call<&ModerationApi::undo>,
             to(Deed::undo, Body::json)}),
      kept<&ProductsApi::get>("/v1/products/{product}", About::product),
      {Verb::put, "/v1/products/{product}", call<&ProductsApi::put>, to(Deed::tell, Body::json)},
      {Verb::delete_, "/v1/products/{product}", call<&ProductsApi::remove>, to(Deed::tell)},
      brief({Verb::post, "/v1/products/{product}/move", call<&ProductsApi::move>,
             to(Deed::move, Body::json)}),
      kept<&StatisticsApi::statistics>("/v1/products/{product}/statistics", About::product),
      kept<&StatisticsApi::statistics_of_products>("/v1/statistics", About::store),
      shared({Verb::get, "/v1/facets", call<&FacetsApi::list>}),
      kept<&StatisticsApi::leaderboard>("/v1/leaderboard", About::store),
  };
}

// What browsers and operators ask.
std::vector<Route> other_routes() {
  return {
      page<&WebPages::products>("/", list_parameters, About::store),
      framed(page<&WebPages::comments>("/products/{product}", web_page_parameters, About::product)),
      framed(page<&WebPages::fragment>("/products/{product}/fragment", fragment_parameters,
                                       About::product)),
      page<&Feeds::feed>("/products/{product}/comments.atom", feed_parameters, About::product),
      page<&FormPages::choose>("/review", invitation_parameters),
      fed(page<&Feeds::all>("/comments.atom", all_feed_parameters, About::store)),
      framed(page<&FormPages::open>("/products/{product}/review", form_parameters)),
      framed({Verb::post,
              "/products/{product}/review",
              call<&FormPages::take>,
              {By::body, Deed::post, Body::form, ui_parameters},
              true}),
      page<&WebPages::comment>("/comments/{id}", ui_parameters, About::store),
      brief({Verb::post,
             "/comments/{id}/vote",
             call<&VotesApi::form>,
             {By::body, Deed::vote, Body::form},
             true}),
      framed(page<&ReportPages::open>("/comments/{id}/report", ui_parameters)),
      framed(brief({Verb::post,
                    "/comments/{id}/report",
                    call<&ReportPages::take>,
                    {By::body, Deed::report, Body::form, ui_parameters},
                    true})),
      page<&WebPages::comment_place>("/comments/{id}/page", ui_parameters),
      page<&Feeds::sitemap>("/sitemap.xml", sitemap_parameters),
      page<&GoogleFeed::xml>("/feeds/google-reviews.xml", {}),
      page<&GoogleFeed::zip>("/feeds/google-reviews.zip", {}),
      page<&Feeds::robots>("/robots.txt", {}),
      page<&WebPages::problem_kind>("/problems/{slug}", {}),
      page<&WebPages::demo_picture>("/demo/{name}", {}),
      in_session(page<&ModerationPages::queue>("/moderation", queue_page_parameters)),
      brief({Verb::post,
             "/moderation/session",
             call<&ModerationPages::sign_in>,
             {By::body, Deed::decide, Body::form}}),
      brief(form<&ModerationPages::sign_out>("/moderation/sign-out")),
      form<&ModerationPages::decide>("/moderation/decisions"),
      brief(form<&ModerationPages::undo, Deed::undo>("/moderation/undo")),
      form<&ModerationPages::reply, Deed::reply>("/moderation/reply"),
      shared({Verb::get, "/static/{hash}/{name}", call<&WebPages::file>}),
      page<&WebPages::embed_script>("/embed.js", {}),
      operations<&Operations::healthz>("/healthz"),
      operations<&Operations::readyz>("/readyz"),
      operations<&Operations::metrics_text>("/metrics"),
      shared({Verb::get, "/openapi.json", call_openapi}),
  };
}

}  // namespace

const std::vector<Route>& routes() {
  static const std::vector<Route> table = [] {
    auto all = interface_routes();
    for (auto& route : other_routes()) all.push_back(std::move(route));
    return all;
  }();
  return table;
}

std::vector<std::string> route_names() {
  std::vector<std::string> names;
  for (const auto& route : routes()) {
    names.push_back(
        fmt::format("{} {}", boost::beast::http::to_string(route.method), route.pattern));
  }
  names.push_back("unknown");
  return names;
}

std::optional<std::vector<std::string>> match(std::string_view pattern,
                                              const std::vector<std::string>& segments) {
  auto rest = pattern.substr(1);
  for (const auto& segment : segments) {
    auto part = rest.substr(0, rest.find('/'));
    if (part.starts_with('{') ? segment.empty() : part != segment) return {};
    bool last = &segment == &segments.back();
    if (last != (part.size() == rest.size())) return {};
    rest.remove_prefix(last ? part.size() : part.size() + 1);
  }
  if (!rest.empty()) return {};
  // Most routes do not match, and cost no memory.
  std::vector<std::string> captures;
  auto parts = pattern.substr(1);
  for (const auto& segment : segments)
    if (take(parts, '/').starts_with('{')) captures.push_back(segment);
  return captures;
}

}  // namespace quire::http
