// The manual made of the commands as they describe themselves: man page, completion of bash, and a
// configuration file.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace quire::cli {

struct DescribedOption {
  std::string name;      // "--listen"; of an argument its own, "file"
  std::string value;     // the name of the value, "ADDRESS:PORT"; empty: a flag
  std::string text;      // what it does
  std::string initial;   // the value without the option; empty: none
  std::string variable;  // of the environment, "QUIRE_LISTEN"; empty: none
  bool argument;         // it has no name on the command line
  bool several;          // it may be given several times
};

// Arguments first, in the order in which they are added. --help is left out.
std::vector<DescribedOption> options_of(const CLI::App& command);

// In the order in which they are added.
std::vector<const CLI::App*> commands_of(const CLI::App& command);

// "quire table create", with `separator` in place of the blanks.
std::string full_name(const CLI::App& command, std::string_view separator = " ");

// A script that completes the program's commands and options, and files for their values.
std::string bash_completion(const CLI::App& program);

// TOML with every option of the program and of `serve`, each explained. Only those are set that the
// package's own folders ask for.
std::string configuration_file(const CLI::App& program);

// The page of the program, with its commands, or of a command, with the commands below it; in the
// language of man(7).
std::string man_page(const CLI::App& command);

}  // namespace quire::cli
