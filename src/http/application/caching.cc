#include "http/application/caching.h"

#include <fmt/format.h>

#include "base/long_hash.h"

namespace quire::http {
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

}  // namespace

void add_caching(const Request& request, Response& response) {
  bool reading = request.method == Verb::get || request.method == Verb::head;
  if (response.status != 200 || !reading || response.caching == Caching::none) {
    response.add("Cache-Control", "no-store");
    return;
  }
  auto tag =
      response.tag.empty() ? fmt::format("\"{:016x}\"", long_hash(response.body)) : response.tag;
  response.add("ETag", tag);
  response.add("Cache-Control", cache_control(response.caching));
  if (request.has(tag)) {
    response.status = 304;
    response.body.clear();
  }
}

}  // namespace quire::http
