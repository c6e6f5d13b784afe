// The parameters of queries: taken from requests, and written into addresses.
//
// A filter's parameters are language, rating, q (words), and of any facet NAME: NAME (one of these
// values), not.NAME (none of these), NAME.all (each of these), NAME.min and NAME.max. Whether the
// facet is declared is for the service to say: only a name that no facet can have is refused here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message.h"
#include "http/parameters.h"
#include "loop/awaitable.h"
#include "quire/page.h"
#include "quire/result.h"
#include "service/comments.h"

namespace quire::http {

// An error of the service as a problem. If the parameter at fault is of a facet that is not
// declared, the problem names the parameters there are, as for any unknown parameter, and how to
// declare the facet. `allowed`: the parameters of the address.
Awaitable<Response> filter_problem(const Comments& comments, const Error& error, Names allowed);

// The 404 of a product that has no comments whatever the filter of the page that was found, or the
// problem of asking. Absent: the product has comments.
Awaitable<std::optional<Response>> no_comments(const Comments& comments, const FoundPage& page,
                                               const std::string& product);

// Removes unknown parameters, such as those of advertisements, from a request for a web page or
// feed, and sets its kept_target. `own`: the known parameters. With `filters` those of facets are
// known, too. Returns whether it removed any.
Awaitable<bool> ignore_unknown(const Comments& comments, Request& request, Names own, bool filters);

// At most this many values of one parameter, and of a whole filter.
inline constexpr std::size_t max_values = 64, max_values_in_all = 256;

// The parameters of a page of comments.
inline const Names page_parameters = {"language", "rating", "q",      "limit",  "sort",   "page",
                                      "skip",     "after",  "before", "facets", "explain"};
// Those of web pages: ui is their language.
inline const Names web_page_parameters = {"language", "rating", "q",       "limit",
                                          "sort",     "page",   "skip",    "after",
                                          "before",   "facets", "explain", "ui"};
inline const Names ui_parameters = {"ui"};

// language=* is any language, and adds nothing beside others.
inline constexpr std::string_view any_language = "*";

// The query of a page of comments, from all its parameters. Errors: invalid_parameter.
Result<Query> page_query(const Request& request, std::string product);
// A filter's parameters, and those in `allowed`, which names language and rating for messages.
Result<Query> filter_query(const Request& request, Names allowed);

// Adds what a filter's parameter says, as in "not.size" and "L". Its error names the parameter.
Status add_filter(Query& query, std::string_view name, const std::string& value);
// Sets the order: "-created_at", "created_at", or "-NAME" and "NAME" of a number facet.
Status set_sort(Query& query, std::string_view text);
std::string sort_text(const Query& query);

// Gives a filter's parameters their own names where they are named as members of `filter`, as
// generated clients send an object: filter[not.size]=L is not.size=L.
void name_filters(Request& request);

// The facet that a filter's parameter is of: "size" of "not.size". Empty: it is none.
std::string_view facet_of(std::string_view parameter);

// The parameters of the filter, in the order of addresses.
Parameters filter_parameters(const Query& query);
// The same, then limit and sort where they differ from their defaults.
Parameters parameters_of(const Query& query);

// The address of a page: `base`, the query's parameters, and `position` ("after=…", "page=…")
// unless it is empty.
std::string page_address(std::string_view base, const Query& query, std::string_view position = {});
// The same for a page by its number. Page 1 has no number in its address.
std::string numbered_address(std::string_view base, const Query& query, std::uint64_t number);
// The position that the query asks for, as page_address() takes it.
std::string position_parameter(const Query& query);

}  // namespace quire::http
