// Takes options from arguments, environment and file, in this order of weight, and runs the
// command.
#include <fmt/core.h>

#include <cstdlib>

#include "cli/commands.h"
#include "cli/terminal/log.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

// In CLI11 a file outweighs the environment. So the environment's options become arguments before
// those of the caller: the last of two counts, and a file only sets options that no argument has.
void add_environment(const CLI::App& app, std::vector<std::string>& arguments) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_envname();
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value && *value)
      arguments.push_back(fmt::format("--{}={}", option->get_lnames().front(), value));
  }
}

std::vector<std::string> arguments_of(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> arguments;
  add_environment(app, arguments);
  const CLI::App* named = &app;
  for (int i = 1; i < argc; ++i) {
    arguments.emplace_back(argv[i]);
    auto commands = named->get_subcommands(
        [&](const CLI::App* command) { return command->check_name(argv[i]); });
    if (commands.empty()) continue;
    named = commands.front();
    add_environment(*named, arguments);
  }
  return arguments;
}

// An option that is given twice has its last value.
void take_last(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_envname().empty()) option->take_last();
  }
  for (CLI::App* command : app.get_subcommands({})) take_last(*command);
}

}  // namespace

int fail(const Error& error) {
  standard_error().write(fmt::format("quire: {}\n", printable(error.message)));
  return error.code == ErrorCode::invalid_parameter ? wrong_usage : failed;
}

std::vector<Command> add_commands(CLI::App& app, Common& common) {
  app.name("quire");
  app.description("Pages, filters and counts product comments, at any size.");
  app.fallthrough();
  app.require_subcommand(1);
  app.set_version_flag("--version", "quire " QUIRE_VERSION);
  app.set_config("--config", "", "read options from a TOML file; flags and environment outweigh it")
      ->envname("QUIRE_CONFIG");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.add_option("--store", common.store,
                 "store of the comments: lmdb:DIR or dynamodb:TABLE?region=R&endpoint=URL")
      ->envname("QUIRE_STORE")
      ->capture_default_str();
  app.add_option(
         "--pages", common.pages,
         "the page index: store (the embedded store's own), lmdb:DIR, redis://HOST:PORT/DB, "
         "rediss://, sqlite:FILE, mysql://USER@HOST:PORT/DB, or none (default: store with "
         "lmdb:, else none)")
      ->envname("QUIRE_PAGES");
  app.add_flag("--json", common.json, "print the HTTP interface's JSON");
  std::vector<Command> commands;
  for (auto add : {add_serve, add_import, add_export, add_generate, add_page, add_explain,
                   add_statistics, add_leaderboard, add_verify, add_backup, add_compact, add_facet,
                   add_token, add_table, add_project, add_backfill, add_lambda}) {
    commands.push_back(add(app, common));
    commands.back().app->fallthrough();
  }
  take_last(app);
  return commands;
}

int run(int argc, char** argv) {
  CLI::App app;
  Common common;
  auto commands = add_commands(app, common);
  try {
    auto arguments = arguments_of(app, argc, argv);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes the last first
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? done : wrong_usage;
  }
  for (const auto& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return wrong_usage;
}

}  // namespace quire::cli
