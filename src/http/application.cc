// What is common to the handlers: under which address this service is seen, and operators' routes.
#include "http/application.h"

#include "http/assets.h"
#include "http/authority.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {

Application::Application(Comments& comments, Metrics& metrics, ApplicationOptions options)
    : comments_(comments),
      metrics_(metrics),
      options_(std::move(options)),
      limits_(options_.posts_per_minute_client, options_.posts_per_minute_product),
      operations_(comments, metrics),
      html_(options_.demo) {}

std::string Application::origin(const Request& request) const {
  if (!options_.public_url.empty()) return options_.public_url;
  auto authority = parse_authority(request.authority);
  if (!authority) return {};
  bool listens_there =
      authority->address == options_.listen.address() &&
      (options_.listen.port() == 0 || authority->port == std::to_string(options_.listen.port()));
  if (!authority->loopback() && !listens_there) return {};
  return "http://" + authority->text();
}

Awaitable<Response> Application::healthz(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return operations_.healthz();
}

Awaitable<Response> Application::readyz(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return co_await operations_.readyz();
}

Awaitable<Response> Application::metrics_text(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return co_await operations_.metrics_text();
}

Awaitable<Response> Application::openapi(const Request& request, const Captures&) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return Response{.body = std::string(asset("openapi.json")), .caching = Caching::revalidate};
}

}  // namespace quire::http
