#include "http/html/plan_html.h"

#include <fmt/format.h>

#include "base/percent.h"
#include "http/query.h"

namespace quire::http {
namespace {

// The address of this page in the JSON interface.
std::string json_address(const Query& query) {
  auto position = position_of(query);
  if (!position.empty()) position += '&';
  return page_address("/v1/products/" + percent_encode(query.product) + "/comments", query,
                      position + "facets=true&explain=true");
}

void fill_bitmaps(Values& out, const Explanation& plan) {
  auto& section = out.add("BITMAPS");
  section.set("BLOCKS", plan.blocks);
  section.set("BLOCKS_SKIPPED", plan.blocks_skipped);
  section.set("TOTALS", plan.totals_kept ? "Kept" : "Made");
  if (plan.lists.empty()) return;
  auto& terms = out.add("TERMS");
  for (const auto& term : plan.lists) terms.add("TERM").set("TERM_TEXT", term);
}

void fill_lists(Values& out, const Explanation& plan) {
  auto& section = out.add("LISTS");
  for (const auto& [list, key] : plan.start) {
    auto& row = section.add("LIST");
    row.set("LIST_KEY", list);
    row.set("START_KEY", key);
  }
  auto* skipped = plan.skipped.empty() ? nullptr : &out.add("SKIPPED");
  for (const auto& list : plan.skipped) skipped->add("SKIPPED_LIST").set("LIST_KEY", list);
  section.set("RESIDUAL", plan.residual.value_or(""));
  if (!plan.residual) section.show("NO_RESIDUAL");
  section.set("REQUESTS", plan.requests);
  section.set("ESTIMATED_COST", fmt::format("{:.1f}", plan.estimated_cost));
}

void fill_alternatives(Values& out, const Explanation& plan) {
  if (plan.alternatives.empty()) return;
  auto& section = out.add("ALTERNATIVES");
  for (const auto& [summary, cost] : plan.alternatives) {
    auto& row = section.add("ALTERNATIVE");
    row.set("SUMMARY", summary);
    row.set("ESTIMATED_COST", fmt::format("{:.1f}", cost));
  }
}

}  // namespace

void fill_plan(Values& out, const Explanation& plan, const Query& query) {
  auto& section = out.add("PLAN");
  section.set("SUMMARY", plan.summary);
  section.set("INDEX", plan.index);
  plan.index == "bitmap" ? fill_bitmaps(section, plan) : fill_lists(section, plan);
  section.set("ENTRIES_READ", plan.read);
  section.set("DISCARDED", plan.discarded);
  if (plan.consumed_capacity > 0) {
    section.set("CONSUMED", fmt::format("{:.1f}", plan.consumed_capacity));
  }
  section.set("TIME_US", plan.microseconds);
  fill_alternatives(section, plan);
  section.set("JSON_HREF", json_address(query));
}

}  // namespace quire::http
