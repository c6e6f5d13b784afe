// The route table, and what is common to all answers: 404, 405, failures, conditional requests.
#include "http/routes.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <xxhash.h>

#include "http/application.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {

struct Application::Route {
  Verb method;
  std::string_view pattern;
  Handler handler;
  bool html = false;  // its errors are pages too
  HeaderCheck check = nullptr;
  bool takes_body = false;
  bool operations = false;  // for operators, who may have an address of their own
};

const std::vector<Application::Route>& Application::routes() {
  using A = Application;
  static const std::vector<Route> table = {
      {Verb::get, "/v1/products/{product}/comments", &A::list_comments},
      {Verb::post, "/v1/products/{product}/comments", &A::post_comment, false, &A::check_post,
       true},
      {Verb::get, "/v1/comments/{id}", &A::get_comment},
      {Verb::get, "/v1/comments/{id}/page", &A::comment_place},
      {Verb::patch, "/v1/comments/{id}", &A::patch_comment, false, &A::check_patch, true},
      {Verb::delete_, "/v1/comments/{id}", &A::delete_comment, false, &A::check_delete},
      {Verb::get, "/v1/products/{product}/statistics", &A::statistics},
      {Verb::get, "/v1/leaderboard", &A::leaderboard},
      {Verb::get, "/", &A::products_page, true},
      {Verb::get, "/products/{product}", &A::comments_page, true},
      {Verb::get, "/products/{product}/comments.atom", &A::feed},
      {Verb::get, "/comments/{id}", &A::comment_page, true},
      {Verb::get, "/sitemap.xml", &A::sitemap},
      {Verb::get, "/problems/{slug}", &A::problem_page, true},
      {Verb::get, "/static/{hash}/{name}", &A::static_file},
      {Verb::get, "/healthz", &A::healthz, false, nullptr, false, true},
      {Verb::get, "/readyz", &A::readyz, false, nullptr, false, true},
      {Verb::get, "/metrics", &A::metrics_text, false, nullptr, false, true},
      {Verb::get, "/openapi.json", &A::openapi},
  };
  return table;
}

std::vector<std::string> Application::route_names() {
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

namespace {

std::string_view cache_control(Caching caching) {
  switch (caching) {
    case Caching::none:
      return "no-store";
    case Caching::revalidate:
      return "public, max-age=0, must-revalidate";
    case Caching::day:
      return "public, max-age=86400";
    case Caching::forever:
      return "public, max-age=31536000, immutable";
  }
  return {};
}

void add_caching(const Request& request, Response& response) {
  bool reading = request.method == Verb::get || request.method == Verb::head;
  if (response.status != 200 || !reading || response.caching == Caching::none) {
    response.add("Cache-Control", "no-store");
    return;
  }
  auto tag =
      response.tag.empty()
          ? fmt::format("\"{:016x}\"", XXH3_64bits(response.body.data(), response.body.size()))
          : response.tag;
  response.add("ETag", tag);
  response.add("Cache-Control", cache_control(response.caching));
  if (request.has(tag)) {
    response.status = 304;
    response.body.clear();
  }
}

}  // namespace

void Response::tag_by(std::string_view said) {
  tag = fmt::format("W/\"{:016x}\"", XXH3_64bits(said.data(), said.size()));
}

std::optional<Answer> Application::check_header(Request& request) {
  auto refused = find_route(request);
  if (!refused) {
    const Route& route = routes()[request.route];
    request.takes_body = route.takes_body;
    if (route.check) refused = (this->*route.check)(request, request.captures);
  }
  if (!refused) return {};
  add_caching(request, *refused);
  return Answer{std::move(*refused), request.route};
}

Awaitable<Answer> Application::answer(Request& request) {
  Response response = co_await dispatch(request);
  add_caching(request, response);
  co_return Answer{std::move(response), request.route};
}

// Fills `route` and `captures`; or gives the answer to an address or method that is none.
std::optional<Response> Application::find_route(Request& request) {
  Verb method = request.method == Verb::head ? Verb::get : request.method;
  request.route = routes().size();
  if (request.needs_host && request.headers->count(Field::host) != 1)
    return problem("invalid-parameter", "A request has one Host header.");
  request.authority = request.header(Field::host);
  if (auto error = take_apart(request)) return problem(*error);
  std::string allow;
  for (std::size_t i = 0; i < routes().size(); ++i) {
    const Route& route = routes()[i];
    if (route.operations && options_.operations_apart) continue;
    auto captures = match(route.pattern, request.segments);
    if (!captures) continue;
    if (route.method == method) {
      request.route = i;
      request.captures = std::move(*captures);
      return {};
    }
    if (!allow.empty()) allow += ", ";
    allow += route.method == Verb::get
                 ? "GET, HEAD"
                 : std::string_view(boost::beast::http::to_string(route.method));
  }
  if (allow.empty()) return problem("not-found", "There is nothing at this address.");
  auto response = problem("method-not-allowed", "This address takes " + allow + ".");
  response.add("Allow", allow);
  return response;
}

Awaitable<Response> Application::dispatch(const Request& request) {
  const Route& route = routes()[request.route];
  Response response;
  try {
    response = co_await (this->*route.handler)(request, request.captures);
  } catch (const std::exception& failure) {
    spdlog::error("{} {}: {} (request {})",
                  std::string_view(boost::beast::http::to_string(request.method)), request.target,
                  failure.what(), request.id);
    response = problem("internal",
                       "Something here is broken. It was logged under request " + request.id + ".");
  }
  if (route.html && response.type == "application/problem+json") {
    response = html_.error(response, request.id);
  }
  co_return response;
}

Response Application::refuse(unsigned status, std::string_view slug, std::string_view detail) {
  Response response = problem(slug, detail);
  response.status = status;
  response.add("Cache-Control", "no-store");
  return response;
}

}  // namespace quire::http
