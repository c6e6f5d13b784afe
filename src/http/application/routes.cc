#include "http/application/routes.h"

#include <fmt/format.h>

#include "http/api/comments_api.h"
#include "http/query.h"

namespace quire::http {
namespace {

// A function that calls this function of this handler.
template <auto handler, auto function>
Awaitable<Response> call(Handlers& handlers, const Request& request) {
  return ((handlers.*handler).*function)(request);
}

Awaitable<Response> call_openapi(Handlers&, const Request& request) {
  return openapi(request);
}

constexpr OpenTo scripts{.scripts = true};

using H = Handlers;
using P = Permission;

// Reads that the page cache keeps.
template <auto handler, auto function>
Route kept(std::string_view pattern, About about) {
  return {Verb::get, pattern, call<handler, function>, false, nullptr, false, false, about, false,
          {},        scripts};
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

// Web pages, and the documents beside them. `parameters`: see Route.
template <auto handler, auto function>
Route page(std::string_view pattern, Names parameters, About about = About::other) {
  constexpr bool html = std::is_same_v<decltype(handler), WebPages Handlers::*> ||
                        std::is_same_v<decltype(handler), FormPages Handlers::*>;
  constexpr bool open = !std::is_same_v<decltype(handler), ModerationPages Handlers::*>;
  return {Verb::get,  pattern, call<handler, function>, html, nullptr, false, false, about, true,
          parameters, {open}};
}

// Forms of moderators.
template <auto function>
Route form(std::string_view pattern) {
  return {Verb::post, pattern, call<&H::moderation_pages, function>, false, &P::check_form, true};
}

// What operators ask.
template <auto function>
Route operations(std::string_view pattern) {
  return {Verb::get, pattern, call<&H::operations, function>, false, nullptr, false, true};
}

// What programs ask.
std::vector<Route> interface_routes() {
  return {
      kept<&H::comments_api, &CommentsApi::list>("/v1/products/{product}/comments", About::product),
      shared({Verb::post, "/v1/products/{product}/comments",
              call<&H::comments_api, &CommentsApi::post>, false, &P::check_post, true}),
      shared({Verb::get, "/v1/comments/{id}", call<&H::comments_api, &CommentsApi::get>, false,
              &P::note_moderator}),
      kept<&H::comments_api, &CommentsApi::page_number>("/v1/comments/{id}/page", About::store),
      shared({Verb::patch, "/v1/comments/{id}", call<&H::comments_api, &CommentsApi::patch>, false,
              &P::check_patch, true}),
      shared({Verb::delete_, "/v1/comments/{id}", call<&H::comments_api, &CommentsApi::remove>,
              false, &P::check_delete}),
      {Verb::put, "/v1/comments/{id}/reply", call<&H::replies_api, &RepliesApi::put>, false,
       &P::check_scope<Scope::reply>, true},
      {Verb::delete_, "/v1/comments/{id}/reply", call<&H::replies_api, &RepliesApi::remove>, false,
       &P::check_scope<Scope::reply>},
      shared({Verb::put, "/v1/comments/{id}/vote", call<&H::votes_api, &VotesApi::put>, false,
              &P::check_vote, true}),
      shared({Verb::delete_, "/v1/comments/{id}/vote", call<&H::votes_api, &VotesApi::remove>,
              false, &P::check_vote}),
      shared({Verb::post, "/v1/comments/{id}/reports",
              call<&H::moderation_api, &ModerationApi::report>, false, &P::check_report, true}),
      shared({Verb::get, "/v1/me/comments", call<&H::customers_api, &CustomersApi::own>, false,
              &P::check_customer}),
      {Verb::post, "/v1/invitations", call<&H::customers_api, &CustomersApi::invite>, false,
       &P::check_scope<Scope::invite>, true},
      {Verb::post, "/v1/customers/export", call<&H::customers_api, &CustomersApi::export_kept>,
       false, &P::check_scope<Scope::admin>, true},
      {Verb::post, "/v1/customers/erase", call<&H::customers_api, &CustomersApi::erase>, false,
       &P::check_scope<Scope::admin>, true},
      {Verb::get, "/v1/moderation/comments", call<&H::moderation_api, &ModerationApi::queue>, false,
       &P::check_moderator},
      {Verb::post, "/v1/moderation/decisions", call<&H::moderation_api, &ModerationApi::decide>,
       false, &P::check_scope<Scope::moderate>, true},
      kept<&H::products_api, &ProductsApi::get>("/v1/products/{product}", About::product),
      {Verb::put, "/v1/products/{product}", call<&H::products_api, &ProductsApi::put>, false,
       &P::check_facts, true},
      {Verb::delete_, "/v1/products/{product}", call<&H::products_api, &ProductsApi::remove>, false,
       &P::check_facts},
      kept<&H::statistics_api, &StatisticsApi::statistics>("/v1/products/{product}/statistics",
                                                           About::product),
      kept<&H::statistics_api, &StatisticsApi::statistics_of_products>("/v1/statistics",
                                                                       About::store),
      shared({Verb::get, "/v1/facets", call<&H::facets_api, &FacetsApi::list>}),
      kept<&H::statistics_api, &StatisticsApi::leaderboard>("/v1/leaderboard", About::store),
  };
}

// What browsers and operators ask.
std::vector<Route> other_routes() {
  return {
      page<&H::web_pages, &WebPages::products>("/", list_parameters, About::store),
      framed(page<&H::web_pages, &WebPages::comments>("/products/{product}", web_page_parameters,
                                                      About::product)),
      framed(page<&H::web_pages, &WebPages::fragment>("/products/{product}/fragment",
                                                      fragment_parameters, About::product)),
      page<&H::feeds, &Feeds::feed>("/products/{product}/comments.atom", feed_parameters,
                                    About::product),
      framed(page<&H::form_pages, &FormPages::open>("/products/{product}/review", form_parameters)),
      framed({Verb::post, "/products/{product}/review", call<&H::form_pages, &FormPages::take>,
              true, &P::check_review, true}),
      page<&H::web_pages, &WebPages::comment>("/comments/{id}", ui_parameters, About::store),
      {Verb::post, "/comments/{id}/vote", call<&H::votes_api, &VotesApi::form>, true,
       &P::check_form, true},
      page<&H::web_pages, &WebPages::comment_place>("/comments/{id}/page", ui_parameters),
      page<&H::feeds, &Feeds::sitemap>("/sitemap.xml", sitemap_parameters),
      page<&H::feeds, &Feeds::robots>("/robots.txt", {}),
      page<&H::web_pages, &WebPages::problem_kind>("/problems/{slug}", {}),
      page<&H::moderation_pages, &ModerationPages::queue>("/moderation", queue_page_parameters),
      form<&ModerationPages::sign_in>("/moderation/session"),
      form<&ModerationPages::sign_out>("/moderation/sign-out"),
      form<&ModerationPages::decide>("/moderation/decisions"),
      shared({Verb::get, "/static/{hash}/{name}", call<&H::web_pages, &WebPages::file>}),
      page<&H::web_pages, &WebPages::embed_script>("/embed.js", {}),
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
  std::vector<std::string> captures;
  pattern.remove_prefix(1);
  for (const auto& segment : segments) {
    auto part = pattern.substr(0, pattern.find('/'));
    if (part.starts_with('{') && !segment.empty()) {
      captures.push_back(segment);
    } else if (part != segment) {
      return {};
    }
    bool last = &segment == &segments.back();
    if (last != (part.size() == pattern.size())) return {};
    pattern.remove_prefix(last ? part.size() : part.size() + 1);
  }
  if (!pattern.empty()) return {};
  return captures;
}

}  // namespace quire::http
