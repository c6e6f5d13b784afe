// quire backup
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

}  // namespace

Command add_backup(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("backup", "copy the embedded store, also beside a server");
  auto directory = std::make_shared<std::string>();
  command->add_option("DIR", *directory, "a new or empty directory")->required();
  command->footer("Example: quire backup /var/backups/quire --store lmdb:./quire-data");
  return {command, [&common, directory] { return backup(common, *directory); }};
}

}  // namespace quire::cli
