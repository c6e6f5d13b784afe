// The state of the statistics' projection, read from the table.
#pragma once

#include <string_view>

#include "change/target.h"
#include "dynamodb/client.h"

namespace quire::dynamodb {

// The name of the statistics' projection.
inline constexpr std::string_view statistics_projection = "statistics";

// Runs on the client's loop. unavailable: the table cannot be read, or a mark is damaged.
Awaitable<Result<change::State>> read_state(Client& client);

}  // namespace quire::dynamodb
