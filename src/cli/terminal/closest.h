// Finds the name that a misspelt one was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quire::cli {

// The name that takes the fewest letters added, left out, changed or swapped, or that begins with
// `typed`. Empty: no name is near.
std::string closest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace quire::cli
