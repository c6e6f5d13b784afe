// quire token new
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "http/tokens.h"

namespace quire::cli {
namespace {

int new_token(const std::string& file) {
  auto token = http::Tokens::add(file);
  if (!token) return fail(token.error());
  fmt::print("{}\n", *token);
  fmt::print(stderr,
             "This token is shown once; {} keeps its hash. A running server reads the file at its "
             "next start.\n",
             file);
  return done;
}

}  // namespace

Command add_token(CLI::App& app, Common&) {
  auto* command = app.add_subcommand("token", "make tokens that may write");
  command->require_subcommand(1);
  command->footer("Example: quire token new --tokens tokens.txt");
  auto file = std::make_shared<std::string>();
  auto* make =
      command->add_subcommand("new", "print a new token once, and append its hash to the file");
  make->add_option("--tokens", *file, "the file; made if missing")
      ->required()
      ->envname("QUIRE_TOKENS");
  make->footer("Example: quire token new --tokens tokens.txt");
  return {command, [file] { return new_token(*file); }};
}

}  // namespace quire::cli
