// The state of a page index as it lies in Redis.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "projection/target.h"
#include "rank/redis/reply.h"

namespace quire::redis {

inline constexpr std::string_view format = "1";

std::string phase_text(projection::Phase phase);
// "0 1732104060123 PLACE"; 1 in front if it ended.
std::string mark_text(const projection::Mark& mark);
// As a script compares it: what of a mark counts. Without one, nothing.
std::string mark_place(const std::optional<projection::Mark>& mark);

// From the hashes of the state and of the marks.
Result<projection::State> state_of(const Reply& reply);

}  // namespace quire::redis
