// Writes what the program's packages say of it: quire_manual FOLDER makes FOLDER/man1, FOLDER/quire
// (bash completion) and FOLDER/quire.toml.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/manual/described.h"

namespace quire::cli {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text << std::flush;
  if (!out) throw std::runtime_error("Cannot write " + file.string() + ".");
}

void write_manual(const std::filesystem::path& folder) {
  CLI::App program;
  Common common;
  add_commands(program, common);
  std::filesystem::remove_all(folder / "man1");  // there may be pages of commands that have gone
  std::filesystem::create_directories(folder / "man1");
  write(folder / "man1/quire.1", man_page(program));
  for (const CLI::App* command : commands_of(program))
    write(folder / "man1" / (full_name(*command, "-") + ".1"), man_page(*command));
  write(folder / "quire", bash_completion(program));
  write(folder / "quire.toml", configuration_file(program));
}

}  // namespace
}  // namespace quire::cli

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "Usage: quire_manual FOLDER\n";
    return 2;
  }
  try {
    quire::cli::write_manual(argv[1]);
  } catch (const std::exception& failure) {
    std::cerr << "quire_manual: " << failure.what() << '\n';
    return 1;
  }
}
