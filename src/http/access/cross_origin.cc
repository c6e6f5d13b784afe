#include "http/access/cross_origin.h"

#include <algorithm>

namespace quire::http {
namespace {

bool names_one_of(const Request& request, const shop::Shop& shop) {
  const auto& origins = shop.embed;
  return request.headers && request.headers->count(Field::origin) == 1 &&
         std::find(origins.begin(), origins.end(), request.header(Field::origin)) != origins.end();
}

void allow(const Request& request, Response& response) {
  response.outer.append("Access-Control-Allow-Origin: ")
      .append(request.header(Field::origin))
      .append("\r\n");
}

}  // namespace

bool CrossOrigin::allows(const Request& request) const {
  return shop_ && names_one_of(request, *shop_->shop());
}

std::optional<Response> CrossOrigin::preflight(const Request& request,
                                               const std::string& methods) const {
  bool asks = request.method == Verb::options &&
              request.headers->count(Field::access_control_request_method) > 0;
  if (!asks || methods.empty() || !allows(request)) return {};
  Response response{.status = 204};
  allow(request, response);
  response.outer.append("Vary: Origin\r\nAccess-Control-Allow-Methods: ").append(methods);
  response.outer +=
      "\r\nAccess-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key, If-Match, "
      "Invitation\r\nAccess-Control-Max-Age: 600\r\n";
  return response;
}

void CrossOrigin::add(const Request& request, OpenTo open, Response& response) const {
  if (!shop_) return;
  auto shop = shop_->shop();
  if (response.type.starts_with("text/html")) {
    for (const auto& host : shop->picture_hosts)
      response.picture_hosts.append(" https://").append(host);
  }
  if (shop->embed.empty()) return;
  if (open.frames) {
    for (const auto& origin : shop->embed)
      response.frame_ancestors.append(response.frame_ancestors.empty() ? "" : " ").append(origin);
  }
  if (!open.scripts) return;
  response.outer += "Vary: Origin\r\n";  // caches must not give one origin's response to another
  if (!names_one_of(request, *shop)) return;
  allow(request, response);
  response.outer +=
      "Access-Control-Expose-Headers: ETag, Link, Location, X-Total-Count, Retry-After\r\n";
}

}  // namespace quire::http
