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

// One error out of what is wrong with each field.
Error invalid_comment(std::vector<FieldError> fields);

std::optional<Error> check_product(std::string_view product);
std::optional<Error> check(const Draft& draft);
std::optional<Error> check(const Patch& patch);

}  // namespace quire
