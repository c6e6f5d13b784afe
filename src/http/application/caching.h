// How caches may keep a response, and whether the client has it already (RFC 9110, 13; RFC 9111).
#pragma once

#include "http/message.h"

namespace quire::http {

// Adds Cache-Control, and to a read that succeeded an ETag. Makes the response a 304 without a body
// if the client has this tag.
void add_caching(const Request& request, Response& response);

}  // namespace quire::http
