#include "http/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "http/problem.h"
#include "model/attributes.h"
#include "model/facets.h"
#include "model/filter.h"
#include "model/made_facets.h"
#include "model/schema.h"
#include "model/validate.h"
#include "model/vote.h"

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
    const auto* made = made_facet(facet);
    std::string types(made                ? type_text(made->type)
                      : parse_vote(facet) ? "number"
                                          : "choice (or flag, tags, number)");
    unknown.message += " To filter by " + facet + ", declare it: quire facet add " + facet +
                       " --type " + types + ".";
  }
  co_return problem(unknown);
}

Awaitable<std::optional<Response>> no_comments(const Comments& comments, const FoundPage& page,
                                               const std::string& product) {
  if (!page.rows.empty() || page.next || page.counts.total() > 0) co_return std::nullopt;
  if (!page.counts.exact) {
    Query all{.product = product, .limit = 1};
    auto any = co_await comments.page(all);
    if (!any) co_return problem(any.error());
    if (!any->rows.empty() || any->next) co_return std::nullopt;
  }
  auto facts = co_await facts_of(*page.view, product);
  if (!facts) co_return problem(facts.error());
  if (*facts) co_return std::nullopt;
  co_return problem(
      "not-found",
      "No comment on this product is here. The list of products has those with comments.");
}

Awaitable<bool> ignore_unknown(const Comments& comments, Request& request, Names own,
                               bool filters) {
  auto is_own = [&](const auto& each) {
    return std::find(own.begin(), own.end(), each.first) != own.end();
  };
  if (std::all_of(request.parameters.begin(), request.parameters.end(), is_own)) co_return false;
  std::vector<FacetStatus> facets;
  if (filters) {
    auto declared = co_await comments.facets();
    if (!declared) co_return false;  // the page itself says why
    facets = std::move(*declared);
  }
  auto unknown = [&](const auto& each) {
    auto facet = facet_of(each.first);
    auto same = [&](const FacetStatus& status) { return status.facet.name == facet; };
    return !is_own(each) && std::none_of(facets.begin(), facets.end(), same);
  };
  if (std::erase_if(request.parameters, unknown) == 0) co_return false;
  request.kept_target = request.target.substr(0, request.target.find('?'));
  char separator = '?';
  for (const auto& [name, value] : request.parameters) {
    request.kept_target += std::exchange(separator, '&');
    request.kept_target += percent_encode(name) + "=" + percent_encode(value);
  }
  co_return true;
}

namespace {

// As many as a store has, with language and rating.
constexpr std::size_t max_facets = limits::facets + 2;

// Every parameter of some address that is none of a filter. No facet has such a name.
constexpr std::string_view plain_parameters[] = {
    "limit", "sort", "page", "skip", "after", "before", "explain", "facets", "product", "by", "q"};

// How a parameter compares a facet.
enum class Comparison { any_of, none_of, all_of, min, max };
constexpr std::string_view excludes = "not.";
constexpr std::pair<std::string_view, Comparison> endings[] = {
    {".all", Comparison::all_of}, {".min", Comparison::min}, {".max", Comparison::max}};

struct FacetParameter {
  std::string_view facet;
  Comparison comparison;
};

bool is_facet_name(std::string_view name) {
  return is_attribute_name(name) &&
         std::find(std::begin(plain_parameters), std::end(plain_parameters), name) ==
             std::end(plain_parameters);
}

std::optional<FacetParameter> facet_parameter(std::string_view name) {
  FacetParameter out{name, Comparison::any_of};
  if (name.starts_with(excludes)) out = {name.substr(excludes.size()), Comparison::none_of};
  for (auto [ending, comparison] : endings) {
    if (out.comparison == Comparison::any_of && name.ends_with(ending))
      out = {name.substr(0, name.size() - ending.size()), comparison};
  }
  if (!is_facet_name(out.facet)) return {};
  return out;
}

bool repeatable(Comparison comparison) {
  return comparison != Comparison::min && comparison != Comparison::max;
}

// Finds the conditions on a facet, or adds empty ones. Conditions are in the order of names, so
// that addresses in responses are the same whatever the order in the request.
Result<FacetFilter*> conditions(Query& query, std::string_view facet, std::string_view parameter) {
  auto at = std::lower_bound(
      query.facets.begin(), query.facets.end(), facet,
      [](const FacetFilter& filter, std::string_view name) { return filter.facet < name; });
  if (at != query.facets.end() && at->facet == facet) return &*at;
  if (query.facets.size() == max_facets)
    return invalid(parameter,
                   fmt::format("At most {} facets may be asked for at once.", max_facets));
  return &*query.facets.insert(at, FacetFilter{.facet = std::string(facet)});
}

std::size_t values_in(const Query& query) {
  std::size_t values = query.languages.size() + query.ratings.size();
  for (const auto& each : query.facets)
    values += each.any_of.size() + each.none_of.size() + each.all_of.size();
  return values;
}

// Adds a value that is not there yet, so that addresses in responses have each value once.
template <class T>
Status add_once(const Query& query, std::vector<T>& values, T value, std::string_view parameter) {
  if (std::find(values.begin(), values.end(), value) != values.end()) return Done{};
  if (values.size() == max_values)
    return invalid(parameter, fmt::format("At most {} values of a facet may be asked for at once.",
                                          max_values));
  if (values_in(query) == max_values_in_all)
    return invalid(parameter,
                   fmt::format("At most {} values may be asked for at once.", max_values_in_all));
  values.push_back(std::move(value));
  return Done{};
}

Status set_bound(std::optional<std::int64_t>& bound, std::string_view parameter,
                 std::string_view text) {
  auto value = parse_integer<std::int64_t>(text);
  if (!value || !is_attribute_number(*value)) {
    return invalid(parameter, std::string(parameter) + " is a whole number of at most 53 bits.");
  }
  bound = value;
  return Done{};
}

Status add_value(Query& query, std::string_view parameter, FacetParameter facet,
                 const std::string& value) {
  if (parameter == "rating") {
    TRY(auto rating, number(parameter, value, 1, 5));
    return add_once(query, query.ratings, static_cast<int>(rating), parameter);
  }
  auto length = characters(value, "");
  if (!length || *length == 0 || *length > limits::attribute_text_characters) {
    return invalid(parameter, std::string(parameter) +
                                  " has 1 to 100 characters, and no control characters. Leave the "
                                  "parameter out for any value.");
  }
  // Addresses in responses have the canonical form. The service refuses what has none.
  auto text = facet.facet == "language" ? canonical_language(value).value_or(value) : value;
  if (parameter == "language" && value == any_language) return Done{};
  if (parameter == "language") return add_once(query, query.languages, text, parameter);
  TRY(auto filter, conditions(query, facet.facet, parameter));
  auto& values = facet.comparison == Comparison::any_of    ? filter->any_of
                 : facet.comparison == Comparison::none_of ? filter->none_of
                                                           : filter->all_of;
  return add_once(query, values, text, parameter);
}

Status set_flag(bool& flag, std::string_view name, std::string_view value) {
  if (value != "true" && value != "false")
    return invalid(name, std::string(name) + " is true or false.");
  flag = value == "true";
  return Done{};
}

// Sets the member of the query that this parameter stands for. It is of no facet.
Status take(Query& query, const std::string& name, const std::string& value) {
  constexpr std::size_t max = std::numeric_limits<std::int64_t>::max();
  if (name == "limit") {
    TRY(query.limit, number(name, value, 1, limits::page_max));
  } else if (name == "sort") {
    return set_sort(query, value);
  } else if (name == "page") {
    auto page = number(name, value, 1, max);
    if (!page) return invalid(name, "page is a whole number from 1.");
    query.page = *page;
  } else if (name == "skip") {
    auto skip = number(name, value, 0, max);
    if (!skip) return invalid(name, "skip is a whole number from 0.");
    query.skip = *skip;
  } else if (name == "q") {
    if (value.empty())
      return invalid(name, "q is empty. Give it words to look for, or leave it out.");
    query.words = value;
  } else if (name == "after") {
    query.after = value;
  } else if (name == "before") {
    query.before = value;
  } else if (name == "facets") {
    return set_flag(query.counts, name, value);
  } else if (name == "explain") {
    return set_flag(query.explain, name, value);
  }
  return Done{};
}

}  // namespace

std::string_view facet_of(std::string_view parameter) {
  auto facet = facet_parameter(parameter);
  return facet ? facet->facet : std::string_view();
}

Status add_filter(Query& query, std::string_view name, const std::string& value) {
  auto facet = facet_parameter(name);
  if (!facet) {
    return invalid(name,
                   "No facet has such a name. A filter is NAME, not.NAME, NAME.all, NAME.min or "
                   "NAME.max, and its value.");
  }
  if (repeatable(facet->comparison)) return add_value(query, name, *facet, value);
  TRY(auto filter, conditions(query, facet->facet, name));
  auto& bound = facet->comparison == Comparison::min ? filter->min : filter->max;
  if (bound) return invalid(name, "This parameter may be given once.");
  return set_bound(bound, name, value);
}

Status set_sort(Query& query, std::string_view text) {
  bool descending = text.starts_with('-');
  auto name = descending ? text.substr(1) : text;
  if (name == "created_at") {
    query.sort = descending ? Sort::newest : Sort::oldest;
  } else if (is_facet_name(name)) {
    query.sort = descending ? Sort::highest : Sort::lowest;
    query.sort_facet = name;
  } else {
    return invalid("sort", std::string(sort_forms));
  }
  return Done{};
}

std::string sort_text(const Query& query) {
  switch (query.sort) {
    case Sort::newest:
      return "-created_at";
    case Sort::oldest:
      return "created_at";
    case Sort::highest:
      return "-" + query.sort_facet;
    case Sort::lowest:
      break;
  }
  return query.sort_facet;
}

void name_filters(Request& request) {
  for (auto& [name, value] : request.parameters) {
    std::string member(filter_member(name));
    if (!facet_of(member).empty()) name = std::move(member);
  }
}

Result<Query> page_query(const Request& request, std::string product) {
  auto query = filter_query(request, page_parameters);
  if (query) query->product = std::move(product);
  return query;
}

Result<Query> filter_query(const Request& request, Names allowed) {
  auto is_filter = [](std::string_view name) { return !facet_of(name).empty(); };
  TRY_DONE(allow_only(request, allowed, is_filter));
  Query query;
  for (const auto& [name, value] : request.parameters) {
    TRY_DONE(is_filter(name) ? add_filter(query, name, value) : take(query, name, value));
  }
  return query;
}

Parameters filter_parameters(const Query& query) {
  Parameters out;
  auto add = [&](const std::string& name, const std::vector<std::string>& values) {
    for (const auto& value : values) out.emplace_back(name, value);
  };
  add("language", query.languages);
  for (int rating : query.ratings) out.emplace_back("rating", std::to_string(rating));
  for (const auto& each : query.facets) {
    add(each.facet, each.any_of);
    add(std::string(excludes) + each.facet, each.none_of);
    add(each.facet + ".all", each.all_of);
    if (each.min) out.emplace_back(each.facet + ".min", std::to_string(*each.min));
    if (each.max) out.emplace_back(each.facet + ".max", std::to_string(*each.max));
  }
  if (!query.words.empty()) out.emplace_back("q", query.words);
  return out;
}

Parameters parameters_of(const Query& query) {
  auto out = filter_parameters(query);
  if (query.limit != limits::page_default) out.emplace_back("limit", std::to_string(query.limit));
  if (query.sort != Sort::newest) out.emplace_back("sort", sort_text(query));
  return out;
}

std::string page_address(std::string_view base, const Query& query, std::string_view position) {
  std::string out(base);
  char separator = '?';
  for (const auto& [name, value] : parameters_of(query)) {
    out += separator;
    out.append(name).append("=");
    // A sort is a minus and a name, which need no encoding.
    out += name == "sort" ? value : percent_encode(value);
    separator = '&';
  }
  if (!position.empty()) {
    out += separator;
    out += position;
  }
  return out;
}

std::string numbered_address(std::string_view base, const Query& query, std::uint64_t number) {
  return page_address(base, query, number == 1 ? "" : "page=" + std::to_string(number));
}

std::string position_parameter(const Query& query) {
  if (query.after) return "after=" + percent_encode(*query.after);
  if (query.before) return "before=" + percent_encode(*query.before);
  if (query.skip) return "skip=" + std::to_string(*query.skip);
  if (query.page) return "page=" + std::to_string(*query.page);
  return {};
}

}  // namespace quire::http
