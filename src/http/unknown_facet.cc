#include "http/unknown_facet.h"

#include <algorithm>

#include "http/problem.h"
#include "http/query.h"
#include "model/schema.h"

namespace quire::http {

Awaitable<Response> filter_problem(const Comments& comments, const Error& error, Names allowed) {
  std::string facet(facet_of(error.parameter));
  if (error.code != ErrorCode::invalid_parameter || facet.empty()) co_return problem(error);
  auto known = co_await comments.facets();
  if (!known) co_return problem(error);
  auto named = [&](const FacetStatus& each) {
    return each.facet.name == facet && each.state != FacetStatus::State::dropping;
  };
  if (std::any_of(known->begin(), known->end(), named)) co_return problem(error);
  auto unknown = unknown_parameter(error.parameter, allowed);
  unknown.message += " The facets are:";
  for (const auto& each : *known) {
    if (each.state != FacetStatus::State::dropping) unknown.message += " " + each.facet.name;
  }
  unknown.message += ".";
  if (is_declarable(facet)) {
    unknown.message += " To filter by the attribute " + facet + ", declare it: quire facet add " +
                       facet + " --type choice (or flag, tags, number).";
  }
  co_return problem(unknown);
}

}  // namespace quire::http
