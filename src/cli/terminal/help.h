// The text of --help: at most 80 columns wide, commands and options in groups.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

// An option is shown with its value's name, which is its option text, and its default. Its variable
// of the environment is shown only if it is not that of its name: QUIRE_MAX_UNSENT of --max-unsent.
std::string help_of(const CLI::App& command, const std::string& name);

}  // namespace quire::cli
