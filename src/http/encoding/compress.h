// Compresses the bodies of responses.
#pragma once

#include <string>
#include <string_view>

#include "http/message.h"
#include "loop/awaitable.h"

namespace quire::http {

// Shorter bodies gain nothing. Longer ones would take long, and twice their memory.
inline constexpr std::size_t min_compressed = 1024, max_compressed = 1024 * 1024;

// The bytes, at least one, in a coding other than identity. Other coroutines of the loop have their
// turns meanwhile; the bytes must live until the end. Throws std::bad_alloc.
Awaitable<std::string> compressed(Coding coding, std::string_view bytes);

// The same for bytes that live as long as the program, as the result does. They are compressed once
// in each coding. Thread-safe.
Awaitable<std::string_view> compressed_once(Coding coding, std::string_view bytes);

}  // namespace quire::http
