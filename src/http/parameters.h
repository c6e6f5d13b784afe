// Parses targets and checks their parameters. An unknown parameter is refused, so that a misspelt
// filter never silently shows everything.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/message.h"
#include "quire/result.h"
#include "quire/statistics.h"
#include "quire/ulid.h"

namespace quire::http {

// The target with its path and query as a URL has them. A browser percent-encodes less than a URL
// asks for, and links are written by hand: what they may not have is encoded, in a query also a
// percent sign that begins no escape, and its fragment is left out.
std::string with_encoded_characters(std::string_view target);

// The facet that a generated client names as an object's member, "rating" of "filter[rating]"; else
// empty.
std::string_view filter_member(std::string_view name);

// The target with * in place of the values of `ticket`, `token` and `secret`, which no log may
// have: whoever has them can write.
std::string without_secrets(std::string_view target);

// Sets `segments` and `parameters` of the request from its target, and `authority` if the target is
// a whole URL. An error if the target without its query is no valid URL: a query is taken
// however it is written.
Status parse_target(Request& request);

// Names and values, decoded.
using Parameters = std::vector<std::pair<std::string, std::string>>;

// The fields of a form, from the body of a request; none if it is no form.
Parameters form_of(std::string_view body);
// The text of the first field with this name; empty: there is none.
std::string_view text_of(const Parameters& form, std::string_view name);
// A text that was typed, without blanks around it, and with `end` for each end of a line that no
// browser makes.
std::string with_lines(std::string_view text, std::string_view end);

// An error of this parameter: invalid_parameter.
Error invalid(std::string_view parameter, std::string message);

// The names of parameters.
using Names = std::initializer_list<std::string_view>;
// Whether a parameter may be given repeatedly, whatever else is allowed.
using IsRepeatable = bool (*)(std::string_view name);

// An error if a parameter is neither in `allowed` nor repeatable, or is not repeatable and given
// twice.
Status allow_only(const Request& request, Names allowed, IsRepeatable is_repeatable = nullptr);
// The error of a parameter that is none of these.
Error unknown_parameter(std::string_view name, Names allowed);
// The first value of a parameter.
std::optional<std::string_view> parameter(const Request& request, std::string_view name);
// Whether the parameter is "true"; absent: false. An error of another value than "true" and
// "false".
Result<bool> flag(const Request& request, std::string_view name);
// A whole number from `min` to `max`; `name` is for the error.
Result<std::size_t> number(std::string_view name, std::string_view text, std::size_t min,
                           std::size_t max);

// The id of a comment in a path. not_found for a text that is no id, because no comment has it.
Result<Ulid> parse_id(const std::string& text);

// "five_star", "average".
std::string_view leaders_text(Leaders leaders);
std::optional<Leaders> parse_leaders(std::string_view text);

}  // namespace quire::http
