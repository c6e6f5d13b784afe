// Fuzzes the configuration file of `quire serve`, and the addresses in it.
#include <sys/mman.h>
#include <unistd.h>

#include <sstream>

#include "cli/commands.h"
#include "cli/serving/serve_options.h"
#include "client/origin.h"
#include "dynamodb/address.h"
#include "fuzz.h"
#include "http/server/clients.h"
#include "page_index/redis/client/address.h"
#include "page_index/sql/database/address.h"

namespace quire::fuzz {
namespace {

void parse_addresses(const cli::Common& common) {
  for (const auto& text : {common.store, common.pages}) {
    (void)dynamodb::parse_address(text, "eu-west-1");
    (void)parse_origin(text);
    (void)redis::parse_redis_address(text, "");
    (void)sql::parse_sql_address(text, "");
    (void)http::Network::parse(text);
  }
}

void parse(const std::string& file) {
  CLI::App app("", "quire");
  cli::Common common;
  auto commands = cli::add_commands(app, common);
  try {
    app.parse(std::vector<std::string>{"serve", "--config=" + file});
  } catch (const CLI::ParseError& wrong) {
    std::ostringstream out, err;
    if (app.exit(wrong, out, err) != 0) require(!err.str().empty(), "a refusal says why");
    return;
  }
  require(commands.front().app->parsed(), "the command is known");
  parse_addresses(common);
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  static const int file = memfd_create("configuration", MFD_CLOEXEC);
  bool written =
      ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size);
  require(written, "the file is written");
  parse("/proc/self/fd/" + std::to_string(file));
  return 0;
}
