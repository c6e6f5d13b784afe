// quire verify
#include <fmt/core.h>

#include "cli/commands.h"
#include "wiring/open.h"

namespace quire::cli {
namespace {

int verify(const Common& common) {
  auto found = verify_store(common.store);
  if (!found) return fail(found.error());
  for (const auto& report : found->reports) fmt::print("{}\n", report);
  if (common.json) {
    fmt::print("{{\"comments\":{},\"differences\":{}}}\n", found->comments, found->differences);
  } else {
    fmt::print("{} comments, {} differences\n", found->comments, found->differences);
  }
  return found->differences > 0 ? with_differences : done;
}

}  // namespace

Command add_verify(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("verify", "recount lists and counts, and report every difference");
  command->footer("Example: quire verify --store lmdb:./quire-data");
  return {command, [&common] { return verify(common); }};
}

}  // namespace quire::cli
