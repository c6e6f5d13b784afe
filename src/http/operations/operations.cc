#include "http/operations/operations.h"

#include <algorithm>

#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {
std::vector<std::string> Operations::route_names() {
  return {"/healthz", "/readyz", "/metrics", "other"};
}

Awaitable<Response> Operations::healthz(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return Response{.type = plain_text, .body = "ok\n"};
}

Awaitable<Response> Operations::readyz(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  if (stopping_) co_return problem("backend-unavailable", "This server is stopping.");
  auto ready = co_await comments_.ready();
  if (!ready) co_return problem(ready.error());
  Response response{.type = plain_text, .body = "ready\n"};
  auto pages = co_await comments_.index_status();
  if (pages && !pages->missing.empty())
    response.body += "Page numbers are missing. " + pages->missing + "\n";
  co_return response;
}

Awaitable<Response> Operations::metrics_text(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto pages = co_await comments_.index_status();
  Response response{.type = Metrics::type};
  auto totals = co_await comments_.status_totals();
  response.body =
      metrics_.text(comments_.figures(), pages, totals ? *totals : std::optional<StatusTotals>());
  co_return response;
}

Awaitable<RoutedResponse> Operations::answer(Request& request) {
  auto names = route_names();
  auto path = request.target.substr(0, request.target.find('?'));
  auto route =
      static_cast<std::size_t>(std::find(names.begin(), names.end() - 1, path) - names.begin());
  Response response;
  try {
    response = co_await answer_route(request, route);
  } catch (const std::exception&) {  // the store is damaged
    response = problem("internal", "Something here is broken; the server's own log may say what.");
  }
  response.add("Cache-Control", "no-store");
  co_return RoutedResponse{std::move(response), route};
}

Awaitable<Response> Operations::answer_route(const Request& request, std::size_t route) {
  if (route == 3)
    co_return problem("not-found", "Here are /healthz, /readyz and /metrics, and nothing else.");
  if (request.method != Verb::get && request.method != Verb::head) {
    auto response = problem("method-not-allowed", "This address takes GET, HEAD.");
    response.add("Allow", "GET, HEAD");
    co_return response;
  }
  if (route == 0) co_return co_await healthz(request);
  if (route == 1) co_return co_await readyz(request);
  co_return co_await metrics_text(request);
}

}  // namespace quire::http
