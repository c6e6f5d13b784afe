#include "http/api/products_api.h"

#include "http/api/recorded.h"
#include "http/parameters.h"
#include "http/problem.h"
#include "product/facts.h"

namespace quire::http {

Awaitable<Response> ProductsApi::get(const Request& request) {
  if (auto error = allow_only(request, {})) co_return problem(*error);
  auto facts = co_await comments_.facts_of(request.captures[0]);
  if (!facts) co_return problem(facts.error());
  if (!*facts) co_return problem("not-found", "The shop tells nothing of this product.");
  co_return Response{.body = encode_facts_row({request.captures[0], std::move(**facts)}),
                     .caching = Caching::revalidate};
}

Awaitable<Response> ProductsApi::put(const Request& request) {
  auto facts = parse_facts(request.body);
  if (!facts) co_return problem(facts.error());
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  NamedFacts named{request.captures[0], std::move(*facts)};
  std::vector<NamedFacts> one{named};
  auto fresh = co_await comments_.put_facts(std::move(one));
  if (!fresh) co_return problem(fresh.error());
  record(audit_, request, named.product, &named.facts);
  co_return Response{.status = *fresh > 0 ? 201u : 200u, .body = encode_facts_row(named)};
}

Awaitable<Response> ProductsApi::remove(const Request& request) {
  if (auto ready = ready_to_record(audit_); !ready) co_return problem(ready.error());
  auto removed = co_await comments_.remove_facts(request.captures[0]);
  if (!removed) co_return problem(removed.error());
  record(audit_, request, request.captures[0], nullptr);
  co_return Response{.status = 204};
}

}  // namespace quire::http
