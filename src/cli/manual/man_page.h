// Pages of the manual, for man(1).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

// The page of the program, with its commands, or of a command, with the commands below it; in the
// language of man(7).
std::string man_page(const CLI::App& command);

}  // namespace quire::cli
