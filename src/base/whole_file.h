// Files that are read as a whole: settings, keys, tokens.
#pragma once

#include <string>

#include "quire/result.h"

namespace quire {

// The bytes of a file. Never waits. unavailable: the file cannot be read, has over `max_bytes`, or
// is a pipe or socket: these wait for a writer, and are empty when they are read again. `what`
// names the file in the message: "the token file".
Result<std::string> read_whole(const std::string& what, const std::string& file,
                               std::size_t max_bytes);

}  // namespace quire
