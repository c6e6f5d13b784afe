// quire backfill
#include <fmt/core.h>

#include <memory>

#include "cli/commands.h"
#include "cli/display.h"
#include "wiring/build.h"

namespace quire::cli {
namespace {

int backfill(const Common& common, const projection::Building& building) {
  auto open = OpenProjection::open(common.store, common.pages);
  if (!open) return fail(open.error());
  if ((*open)->followed().empty()) return fail(nothing_follows());
  for (const auto& each : (*open)->followed()) {
    projection::Progress progress;
    Result<Built> built = Built{};
    {
      Display display(each.what, progress);
      built = build(**open, each, building, progress);
    }
    if (!built) return fail(built.error());
    if (built->was_there) {
      fmt::print("{}: it is built and follows the stream; --again builds it anew\n", each.what);
    } else {
      fmt::print("{}: {} comments; quire project keeps it in step from here\n", each.what,
                 progress.comments.load());
    }
  }
  return done;
}

}  // namespace

Command add_backfill(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand(
      "backfill", "build page index and statistics from a table that has comments already");
  auto building = std::make_shared<projection::Building>();
  command
      ->add_option("--segments", building->segments, "parts of the table that are scanned at once")
      ->envname("QUIRE_SEGMENTS")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  command->add_flag("--again", building->again, "begin anew, whatever is there");
  command->footer(
      "Killed at any moment, it goes on where it was. Example: quire backfill --store "
      "dynamodb:comments?region=eu-west-1 --pages redis://localhost");
  return {command, [&common, building] { return backfill(common, *building); }};
}

}  // namespace quire::cli
