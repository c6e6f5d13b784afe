// Completion for bash.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

// A script that completes the program's commands and options, and files for their values.
std::string bash_completion(const CLI::App& program);

}  // namespace quire::cli
