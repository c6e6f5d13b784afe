// Says what is wrong with arguments, or with the file that has options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quire::cli {

// The command as far as it was understood: "quire table create".
std::string name_of(const CLI::App& app);

// Why the arguments or the file were refused, as sentences. `app` has parsed them.
std::string reason(const CLI::App& app, const CLI::ParseError& wrong);

}  // namespace quire::cli
