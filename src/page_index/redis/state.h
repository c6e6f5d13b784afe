// The state of a page index as it lies in Redis.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "change/target.h"
#include "page_index/redis/reply.h"

namespace quire::redis {

inline constexpr std::string_view format = "1";

std::string phase_text(change::Phase phase);
// "0 1732104060123 PLACE"; 1 in front if it ended.
std::string mark_text(const change::Mark& mark);
// As a script compares it: what of a mark counts. Without one, nothing.
std::string mark_place(const std::optional<change::Mark>& mark);

// From the hashes of the state and of the marks.
Result<change::State> state_of(const Reply& reply);

}  // namespace quire::redis
