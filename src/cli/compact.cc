// quire compact
#include <fmt/core.h>

#include "app/open.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

int compact(const Common& common) {
  Progress progress("compacting");
  auto status = compact_store(
      common.store, [&](double part, std::uint64_t count) { progress.show(part, count); });
  if (!status) return fail(status.error());
  if (status->empty()) return done;
  fmt::print(stderr,
             "quire: the compacted store would lack {}, because pages of the store are damaged. "
             "Nothing was changed; quire verify names the pages\n",
             *status);
  return with_differences;
}

}  // namespace

Command add_compact(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("compact", "rewrite the embedded store without deleted comments");
  command->footer(
      "No other process may write meanwhile, and readers must end within 30 seconds.\n"
      "Example: quire compact --store lmdb:./quire-data");
  return {command, [&common] { return compact(common); }};
}

}  // namespace quire::cli
