// quire table parts: prints or declares in how many parts the lists of hot products lie.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace quire::cli {

// Adds `parts` to the command `table`.
Command add_parts(CLI::App& table, Common& common);

}  // namespace quire::cli
