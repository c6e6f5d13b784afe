// What a comment may contain. Every field at fault is named, not just the first.
#pragma once

#include <optional>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// Unicode scalar values in `text`; nothing if it is not UTF-8 or has control characters other than
// those in `allowed`.
std::optional<std::size_t> characters(std::string_view text, std::string_view allowed);

// The front of a name that somebody made up: whole characters, at most 100 bytes.
std::string_view shortened(std::string_view name);

// One error out of what is wrong with each field.
Error invalid_comment(std::vector<FieldError> fields);

std::optional<Error> check_product(std::string_view product);
std::optional<Error> check(const Draft& draft);
std::optional<Error> check(const Patch& patch);
// Whether the draft is dated later than limits::future_ms from `now_ms`: it would stand first for
// as long.
std::optional<Error> check_time(const Draft& draft, std::uint64_t now_ms);

}  // namespace quire
