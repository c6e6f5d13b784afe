// quire verify
#include <fmt/core.h>

#include <boost/json.hpp>
#include <memory>

#include "app/open.h"
#include "app/projection.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

void print(const Common& common, const Verified& found) {
  if (common.json) {
    boost::json::array reports(found.reports.begin(), found.reports.end());
    boost::json::object out{{"comments", found.comments},
                            {"differences", found.differences},
                            {"reports", std::move(reports)}};
    fmt::print("{}\n", boost::json::serialize(out));
    return;
  }
  for (const auto& report : found.reports) fmt::print("{}\n", printable(report));
  fmt::print("{}, {}\n", counted(found.comments, "comment"),
             counted(found.differences, "difference"));
}

void tell_of_removed(std::size_t rows) {
  if (rows == 0) return;
  fmt::print(stderr, "{} of reports, votes, decisions or customers could not be read: removed\n",
             counted(rows, "row"));
}

int verify(const Common& common, bool repair) {
  auto found = verify_store(common.store);
  if (!found) return fail(found.error());
  print(common, *found);
  if (found->differences == 0) return done;
  if (found->pages_damaged)
    fmt::print(stderr,
               "Damaged pages can only be restored from a backup: docs/operating.md, Restoring.\n");
  if (!repair || found->pages_damaged) return with_differences;
  auto repaired = repair_store(common.store);
  if (!repaired) return fail(repaired.error());
  fmt::print(stderr, "repaired: index, counts and leaderboard made anew\n");
  for (const auto& id : repaired->set_aside)
    fmt::print(stderr, "comment {} cannot be read, or shares its id: set aside\n", id);
  for (const auto& product : repaired->facts_aside)
    fmt::print(stderr, "the facts of product {} cannot be read: set aside; tell them again\n",
               printable(product));
  if (repaired->lost_facets > 0) {
    fmt::print(stderr,
               "declarations that cannot be read: {}; quire facet list shows those that are left; "
               "declare the others again\n",
               counted(repaired->lost_facets, "facet"));
  }
  tell_of_removed(repaired->removed);
  found = verify_store(common.store);
  if (!found) return fail(found.error());
  print(common, *found);
  bool whole = found->differences == 0 && repaired->set_aside.empty() &&
               repaired->facts_aside.empty() && repaired->lost_facets == 0 &&
               repaired->removed == 0;
  return whole ? done : with_differences;
}

int verify_table(const Common& common, bool repair, unsigned poll) {
  auto open = OpenProjection::open(common.store, common.pages);
  if (!open) return fail(open.error());
  projection::Progress progress;
  auto found = [&] {
    Display display("counting", progress);
    projection::Verification options{.repair = repair};
    options.recount = projection::recount_pace(Milliseconds(poll));
    return (*open)->verify(options, progress);
  }();
  if (!found) return fail(found.error());
  const auto& left = found->left;
  print(common, {found->comments, found->found.differences, found->found.sentences});
  if (found->found.differences == 0) return done;
  if (!repair) return with_differences;
  fmt::print(stderr, "repaired; left: {}\n", counted(left.differences, "difference"));
  const auto& [set_aside, removed] = found->items;
  if (set_aside > 0)
    fmt::print(
        stderr,
        "{} {} set aside, and in no page any more: write what is right in the place of each\n",
        counted(set_aside, "damaged item"), set_aside == 1 ? "is" : "are");
  tell_of_removed(removed);
  if (left.differences == 0) return set_aside + removed > 0 ? with_differences : done;
  for (const auto& sentence : left.sentences) fmt::print(stderr, "{}\n", printable(sentence));
  fmt::print(stderr, "Run it again when fewer comments are written.\n");
  return with_differences;
}

}  // namespace

Command add_verify(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("verify", "recount everything, and report every difference");
  auto repair = std::make_shared<bool>(false);
  command->add_flag(
      "--repair", *repair,
      "repair the differences; of an embedded store all but the comments is made anew, and no "
      "other process may write meanwhile");
  auto poll = std::make_shared<unsigned>(400);
  command->add_option("--poll", *poll, "ms between reads of a shard of a table's stream")
      ->option_text("MS")
      ->envname("QUIRE_POLL")
      ->capture_default_str()
      ->check(CLI::Range(1, 60'000));
  command->footer("Example: quire verify --store lmdb:./quire-data");
  return {command, [&common, repair, poll] {
            bool table = common.store.starts_with("dynamodb:");
            return table ? verify_table(common, *repair, *poll) : verify(common, *repair);
          }};
}

}  // namespace quire::cli
