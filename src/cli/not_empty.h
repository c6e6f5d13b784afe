// Refuses an empty value, such as a variable of the shell that is not set: without the value, a
// command does more than its user wants.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

inline const CLI::Validator not_empty(
    [](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); }, "");

}  // namespace quire::cli
