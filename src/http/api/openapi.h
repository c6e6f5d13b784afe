// The handler of /openapi.json.
#pragma once

#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

Awaitable<Response> openapi(const Request& request);

}  // namespace quire::http
