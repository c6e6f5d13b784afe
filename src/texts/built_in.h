// The files under web/texts, embedded in the binary.
#pragma once

#include <string_view>

namespace quire::texts {

// Throws std::out_of_range for an unknown name.
std::string_view built_in_file(std::string_view name);

}  // namespace quire::texts
