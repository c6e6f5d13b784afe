// In which representation a response goes out: its coding, how caches may keep it, and whether the
// client has it already (RFC 9110, 12.5.3 and 13; RFC 9111).
#pragma once

#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// Adds Cache-Control, and to a read that succeeded an ETag and the coding in which the client takes
// it. Makes the response a 304 without a body if the client has this tag. The body is as it was:
// encode() compresses it.
void add_caching(const Request& request, Response& response);

// Compresses the body in the coding that add_caching() chose. The response to HEAD gets no body,
// and no length: only compressing would tell it.
Awaitable<void> encode(const Request& request, Response& response);

}  // namespace quire::http
