// What operators ask: does it live, is it ready, what does it count, what can it do.
#include "http/application.h"
#include "http/assets.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {

Application::Application(Comments& comments, Metrics& metrics, ApplicationOptions options)
    : comments_(comments),
      metrics_(metrics),
      options_(std::move(options)),
      by_client_(options_.posts_per_minute_client),
      by_product_(options_.posts_per_minute_product),
      html_(options_.demo) {}

std::string Application::origin(const Request& request) const {
  if (!options_.public_url.empty()) return options_.public_url;
  constexpr std::string_view sane =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._:[]";
  auto host = request.header(Field::host);
  if (host.empty() || host.find_first_not_of(sane) != host.npos) return {};
  return "http://" + std::string(host);
}

Awaitable<Response> Application::healthz(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return Response{.type = "text/plain; charset=utf-8", .body = "ok\n"};
}

Awaitable<Response> Application::readyz(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  if (stopping_) co_return problem("backend-unavailable", "This server is stopping.");
  auto ready = co_await comments_.ready();
  if (!ready) co_return problem(ready.error());
  Response response{.type = "text/plain; charset=utf-8", .body = "ready\n"};
  auto pages = co_await comments_.standing();
  if (pages && !pages->missing.empty())
    response.body += "Page numbers are missing. " + pages->missing + "\n";
  co_return response;
}

Awaitable<Response> Application::metrics_text(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto pages = co_await comments_.standing();
  Response response{.type = "text/plain; version=0.0.4; charset=utf-8"};
  response.body = metrics_.text(comments_.figures(), pages);
  co_return response;
}

Awaitable<Response> Application::openapi(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return Response{.body = std::string(asset("openapi.json")), .caching = Caching::revalidate};
}

}  // namespace quire::http
