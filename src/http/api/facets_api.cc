#include "http/api/facets_api.h"

#include "http/api/facets_json.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {

Awaitable<Response> FacetsApi::list(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto facets = co_await comments_.facets();
  if (!facets) co_return problem(facets.error());
  co_return Response{.body = facets_json(*facets), .caching = Caching::revalidate};
}

}  // namespace quire::http
