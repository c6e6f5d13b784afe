#include "http/access/refusals.h"

#include <fmt/format.h>

#include "http/problem.h"

namespace quire::http {

Response unauthorized(std::string_view detail) {
  auto response = problem("unauthorized", detail);
  response.add("WWW-Authenticate", "Bearer realm=\"quire\"");
  return response;
}

Response too_many(std::string_view what, std::uint64_t wait) {
  auto response = problem("rate-limited", fmt::format("{} Try again in {} s.", what, wait));
  response.add("Retry-After", std::to_string(wait));
  return response;
}

}  // namespace quire::http
