// The description of the interface in OpenAPI.
#pragma once

#include <string_view>

#include "http/message.h"

namespace quire::http {

// web/openapi.json, and what follows from the route table and from web/problems.json: parameters
// in paths, HEAD of each GET, the problems that a route of its kind can give, the headers of its
// responses. What the file says itself stands. Two members of the file are no OpenAPI:
// `x-problems`: the slugs of the problems that a response gives; its content is made of them.
// `x-extends`: a schema, earlier in the file, whose properties and example this one has, too.
// Made at the first call; lives as long as the program.
std::string_view description();

// The handler of /openapi.json.
Awaitable<Response> openapi(const Request& request);

}  // namespace quire::http
