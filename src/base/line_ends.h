// Ends of lines, as browsers, files and other programs write them.
#pragma once

#include <string>
#include <string_view>

namespace quire {

// The text with LF in place of each CR LF, and of each CR alone. Thread-safe.
std::string without_returns(std::string_view text);

}  // namespace quire
