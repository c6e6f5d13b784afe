// The files under web/, embedded in the binary.
#pragma once

#include <string_view>

namespace quire::http {

// The content of a file, which lives as long as the program. Throws std::out_of_range for an
// unknown name.
std::string_view asset(std::string_view name);

}  // namespace quire::http
