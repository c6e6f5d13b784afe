// Parses targets and checks their parameters. An unknown parameter is refused, so that a misspelt
// filter never silently shows everything.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "quire/page.h"
#include "quire/result.h"
#include "quire/statistics.h"
#include "quire/ulid.h"

namespace quire::http {

// Sets `segments` and `parameters` of the request from its target, and `authority` if the target is
// a whole URL. An error if the target is no valid URL.
std::optional<Error> parse_target(Request& request);

// The query of a page of comments, from all its parameters.
Result<Query> page_query(const Request& request, std::string product);

// The same from the parameters in `allowed` alone.
Result<Query> filter_query(const Request& request, std::initializer_list<std::string_view> allowed);

// An error if a parameter is not in `allowed`, or is given twice; language and rating may be.
std::optional<Error> allow_only(const Request& request,
                                std::initializer_list<std::string_view> allowed);
// The first value of a parameter.
std::optional<std::string_view> parameter(const Request& request, std::string_view name);
// A whole number from `min` to `max`; `name` is for the error.
Result<std::size_t> number(std::string_view name, std::string_view text, std::size_t min,
                           std::size_t max);

// The id of a comment in a path. not_found for a text that is no id, because no comment has it.
Result<Ulid> parse_id(const std::string& text);

// The address of a page: `base`, the parameters that differ from their defaults, and `position`
// ("after=…", "page=…") unless it is empty.
std::string page_address(std::string_view base, const Query& query, std::string_view position = {});
// The same for a page by its number. Page 1 has no number in its address.
std::string numbered_address(std::string_view base, const Query& query, std::uint64_t number);
std::string_view sort_text(Sort sort);
// "five_star", "average".
std::string_view leaders_text(Leaders leaders);
std::optional<Leaders> parse_leaders(std::string_view text);

}  // namespace quire::http
