// The state of a page index as Redis stores it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "change/target.h"
#include "page_index/redis/reply.h"

namespace quire::redis {

inline constexpr std::string_view format = "1";

std::string phase_text(change::Phase phase);
// "0 1732104060123 PLACE"; begins with 1 if the shard has ended.
std::string mark_text(const change::Mark& mark);
// The part of a mark that scripts compare. Empty: no mark.
std::string mark_place(const std::optional<change::Mark>& mark);

// Reads the reply of the script `state`.
Result<change::State> state_of(const Reply& reply);

}  // namespace quire::redis
