// The files under web/, inside the binary.
#pragma once

#include <string_view>

namespace quire::http {

// Throws std::out_of_range for a name that is not there. Lives as long as the program.
std::string_view asset(std::string_view name);

}  // namespace quire::http
