// quire backup, and quire compact
#include <fmt/core.h>

#include <memory>

#include "app/open.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

int backup(const Common& common, const std::string& directory) {
  auto open = open_store(common.store, Access::read);
  if (!open) return fail(open.error());
  auto copied = open->backup(directory);
  if (!copied) return fail(copied.error());
  if (!common.json) fmt::print("copied to {}\n", printable(directory));
  if (copied->empty()) return done;
  fmt::print(stderr,
             "quire: the copy lacks {}, because pages of the store are damaged. Keep earlier "
             "backups. To use the copy, run quire verify --repair --store lmdb:{}\n",
             *copied, printable(directory));
  return with_differences;
}

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

Command add_backup(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("backup", "copy the embedded store, also beside a server");
  auto directory = std::make_shared<std::string>();
  command->add_option("DIR", *directory, "a new or empty directory")->required();
  command->footer("Example: quire backup /var/backups/quire --store lmdb:./quire-data");
  return {command, [&common, directory] { return backup(common, *directory); }};
}

Command add_compact(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("compact", "rewrite the embedded store without deleted comments");
  command->footer(
      "No other process may write meanwhile, and readers must end within 30 seconds.\n"
      "Example: quire compact --store lmdb:./quire-data");
  return {command, [&common] { return compact(common); }};
}

}  // namespace quire::cli
