// Targets taken apart, and their parameters checked: a misspelt one is refused, never ignored.
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

// Fills `segments` and `parameters` from `target`, and `authority` if that is whole. An error if it
// is no address.
std::optional<Error> parse_target(Request& request);

// The parameters of a page of comments.
Result<Query> page_query(const Request& request, std::string product);

// Some of them: those in `allowed`.
Result<Query> filter_query(const Request& request, std::initializer_list<std::string_view> allowed);

// A parameter that may be given once. An error for any not in `allowed`, or given twice.
std::optional<Error> allow_only(const Request& request,
                                std::initializer_list<std::string_view> allowed);
std::optional<std::string_view> parameter(const Request& request, std::string_view name);
Result<std::size_t> number(std::string_view name, std::string_view text, std::size_t least,
                           std::size_t most);

// A comment's id, as it stands in a path. not_found for any other text: no comment has it.
Result<Ulid> parse_id(const std::string& text);

// The address of a page: `base`, then what differs from the defaults, then `place` ("after=…",
// "page=…"), if any.
std::string page_address(std::string_view base, const Query& query, std::string_view place = {});
// The same by number: the first page is the bare address.
std::string numbered_address(std::string_view base, const Query& query, std::uint64_t number);
std::string_view sort_text(Sort sort);
// "five_star", "average".
std::string_view leaders_text(Leaders leaders);
std::optional<Leaders> parse_leaders(std::string_view text);

}  // namespace quire::http
