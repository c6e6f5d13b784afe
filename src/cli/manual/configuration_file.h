// The configuration file that the Debian package installs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

// TOML with every option of the program and of `serve`, each explained. Only those are set that the
// package's own folders ask for.
std::string configuration_file(const CLI::App& program);

}  // namespace quire::cli
