// The command line: each command, the options and exit statuses that all share.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/serving/serve_options.h"
#include "cli/terminal/outcome.h"
#include "quire/result.h"

namespace quire::cli {

// The options that all commands share, and those that are read again while a server runs.
struct Common {
  std::string store = "lmdb:./quire-data";
  std::string pages = {};  // empty: the store's own page index, if it has one
  bool json = false;
  ServeOptions serve = {};
  std::vector<std::string> typed = {};  // the arguments; the first is the program
};

// The settings of a server.
struct Settings {
  Common common;
  // The values of its options, by name ("max-unsent"), as text.
  std::map<std::string, std::string> texts = {};
};

struct Command {
  CLI::App* app;
  std::function<int()> run;
};

// Each adds its command, whose help has an example and fits a screen: 40 lines of 80 columns. The
// list of all commands has 51 at most. `common` must outlive the command.
using AddCommand = Command(CLI::App& app, Common& common);
AddCommand add_serve, add_import, add_export, add_generate, add_facet, add_words, add_page,
    add_explain, add_get, add_post, add_delete, add_queue, add_publish, add_reject, add_note,
    add_invite, add_reply, add_customer, add_product, add_statistics, add_leaderboard, add_backup,
    add_compact, add_verify, add_token, add_shop, add_webhook, add_table, add_project, add_backfill,
    add_lambda;

// Adds all commands and the options that they share. `common` must outlive them.
std::vector<Command> add_commands(CLI::App& app, Common& common);

// The settings that these arguments, and environment and file as they are now, give `quire serve`.
// invalid_parameter: one of them is wrong, or the file cannot be read.
Result<Settings> read_settings(const std::vector<std::string>& typed);

// Parses the arguments and runs the command. Returns the exit status.
int run(int argc, char** argv);

}  // namespace quire::cli
