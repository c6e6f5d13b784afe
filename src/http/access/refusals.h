// Responses to requests that may not be made, or not now.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/message.h"

namespace quire::http {

// 401: who sends the request is not known.
Response unauthorized(std::string_view detail);
// 429: of a limit, which allows the next request in `wait` seconds.
Response too_many(std::string_view what, std::uint64_t wait);

}  // namespace quire::http
