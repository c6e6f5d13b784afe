// quire explain
#include <fmt/core.h>

#include "cli/page.h"

namespace quire::cli {
namespace {

void print_plan(const Common&, const FoundPage& page) {
  const Explanation& plan = *page.plan;
  fmt::print("{}\n", plan.summary);
  for (const auto& [list, key] : plan.start)
    fmt::print("list       {}{}\n", list, key.empty() ? "" : " from " + key);
  auto age = plan.counts_age_ms ? fmt::format(" {:.1f} s ago", *plan.counts_age_ms / 1000.0) : "";
  for (const auto& list : plan.skipped) fmt::print("skipped    {} (empty{})\n", list, age);
  if (plan.residual) fmt::print("residual   {}\n", *plan.residual);
  fmt::print("read       {}\ndiscarded  {}\n", plan.read, plan.discarded);
  if (plan.index == "bitmap") {
    fmt::print("blocks     {} looked at, {} skipped\n", plan.blocks, plan.blocks_skipped);
  } else {
    fmt::print("requests   {}\ncost       {:.1f} estimated, {:.1f} consumed\n", plan.requests,
               plan.estimated_cost, plan.consumed_capacity);
  }
  fmt::print("time       {} µs\n", plan.microseconds);
}

}  // namespace

Command add_explain(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("explain", "print how a page is found, and what that costs");
  auto query = add_query(*command);
  command->footer("Example: quire explain 42 --rating 1 --rating 5 --filter verified=true");
  return {command, [&common, query] {
            query->explain = true;
            return show_page(common, *query, print_plan);
          }};
}

}  // namespace quire::cli
