#include "http/api/openapi.h"

#include "http/assets.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {

Awaitable<Response> openapi(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  co_return Response{.shared = asset("openapi.json"), .caching = Caching::revalidate};
}

}  // namespace quire::http
