// The command line: what all commands share, and the commands.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire::cli {

// Exit statuses.
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int wrong_usage = 2;
inline constexpr int with_differences = 3;  // rejected rows, or differences found

struct Shared {
  std::string store = "lmdb:./quire-data";
  bool json = false;
};

struct Command {
  CLI::App* app;
  std::function<int()> run;
};

// Each adds its command, with an example in its help. `shared` must outlive the command.
Command add_serve(CLI::App& app, Shared& shared);
Command add_import(CLI::App& app, Shared& shared);
Command add_export(CLI::App& app, Shared& shared);
Command add_generate(CLI::App& app, Shared& shared);
Command add_page(CLI::App& app, Shared& shared);
Command add_explain(CLI::App& app, Shared& shared);
Command add_verify(CLI::App& app, Shared& shared);
Command add_token(CLI::App& app, Shared& shared);

// Parses and runs; the exit status.
int run(int argc, char** argv);

// Prints the message to standard error; the exit status.
int fail(const Error& error);

}  // namespace quire::cli
