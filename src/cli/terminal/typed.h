// Commands as a reader may type them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quire::cli {

// The arguments with spaces between, each in quotes where a shell needs them.
std::string quoted(const std::vector<std::string>& arguments);

// The arguments without the options in `dropped` and their values, and with `added`, which are
// options.
std::vector<std::string> with_options(const std::vector<std::string>& arguments,
                                      const std::vector<std::string_view>& dropped,
                                      const std::vector<std::string>& added);

}  // namespace quire::cli
