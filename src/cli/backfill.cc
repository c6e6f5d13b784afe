// quire backfill
#include <fmt/core.h>

#include <memory>

#include "app/projection.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

int backfill(const Common& common, const projection::Building& building) {
  auto open = OpenProjection::open_followed(common.store, common.pages);
  if (!open) return fail(open.error());
  for (const auto& each : (*open)->followed()) {
    projection::Progress progress;
    Result<projection::Built> built = projection::Built{};
    {
      Display display(each.what, progress);
      built = (*open)->build(each, building, progress);
    }
    if (!built) return fail(built.error());
    if (built->was_there) {
      fmt::print("{} is built and follows the stream; --again builds it anew\n", each.what);
    } else {
      fmt::print("{}: {}; quire {} keeps it in step from here\n", each.what,
                 counted(progress.comments.load(), "comment"),
                 building.lambda ? "lambda" : "project");
    }
  }
  return done;
}

}  // namespace

Command add_backfill(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("backfill", "build page index and statistics from a table");
  auto building = std::make_shared<projection::Building>();
  command
      ->add_option("--segments", building->segments,
                   "parts of the table that are scanned at the same time")
      ->option_text("N")
      ->envname("QUIRE_SEGMENTS")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  auto poll = std::make_shared<unsigned>(static_cast<unsigned>(building->recount.poll.count()));
  command->add_option("--poll", *poll, "ms between reads of a shard of the stream")
      ->option_text("MS")
      ->envname("QUIRE_POLL")
      ->capture_default_str()
      ->check(CLI::Range(1, 60'000));
  command->add_flag("--again", building->again,
                    "begin anew, even if page index and statistics are built");
  command->add_flag("--lambda", building->lambda,
                    "afterwards quire lambda keeps them in step, not quire project");
  command->footer(
      "After a kill, run it again: a page index continues, statistics are counted anew.\n"
      "Example:\n"
      "  quire backfill --store 'dynamodb:comments?region=eu-west-1' \\\n"
      "    --pages redis://localhost");
  return {command, [&common, building, poll] {
            building->recount = projection::recount_pace(Milliseconds(*poll));
            return backfill(common, *building);
          }};
}

}  // namespace quire::cli
