// The word of a mapping for the decision on a comment: "rejected:spam". Pure.
#pragma once

#include <optional>
#include <string_view>

#include "quire/comment.h"

namespace quire {

// Status and reason: "rejected" alone is "rejected:other". Absent: the word is none of "published",
// "pending", "rejected" and "rejected:REASON".
std::optional<Moderation> status_of_word(std::string_view word);

}  // namespace quire
