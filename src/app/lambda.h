// The projection as a function that is called with batches of the stream's records.
#pragma once

#include <chrono>
#include <string>

#include "app/projection.h"

namespace quire {

// Applies the records of an event to everything that follows the table, and gives the answer AWS
// Lambda wants: the first record that could not be applied, if there is one. An event without
// records only tells that time goes by. Records may come again: nothing is counted twice. An error:
// none of it was applied, and the event is to be sent again. No step is begun after `until`.
Awaitable<Result<std::string>> handle_event(OpenProjection& open, std::string event,
                                            std::chrono::steady_clock::time_point until);

}  // namespace quire
