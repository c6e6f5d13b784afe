#include "http/html/plan_html.h"

#include <fmt/format.h>

#include "base/percent.h"
#include "http/query.h"

namespace quire::http {
namespace {

using Dictionary = ctemplate::TemplateDictionary;

// The address of this page in the JSON interface.
std::string json_address(const Query& query) {
  auto position = position_of(query);
  if (!position.empty()) position += '&';
  return page_address("/v1/products/" + percent_encode(query.product) + "/comments", query,
                      position + "facets=true&explain=true");
}

void fill_bitmaps(Dictionary& out, const Explanation& plan) {
  auto* section = out.AddSectionDictionary("BITMAPS");
  section->SetValue("BLOCKS", std::to_string(plan.blocks));
  section->SetValue("BLOCKS_SKIPPED", std::to_string(plan.blocks_skipped));
  section->SetValue("TOTALS", plan.totals_kept ? "Kept" : "Made");
  if (plan.lists.empty()) return;
  auto* terms = out.AddSectionDictionary("HAS_TERMS");
  for (const auto& term : plan.lists)
    terms->AddSectionDictionary("TERM")->SetValue("TERM_TEXT", term);
}

void fill_lists(Dictionary& out, const Explanation& plan) {
  auto* section = out.AddSectionDictionary("LISTS");
  for (const auto& [list, key] : plan.start) {
    auto* row = section->AddSectionDictionary("LIST");
    row->SetValue("LIST_KEY", list);
    row->SetValueAndShowSection("START_KEY", key, "HAS_START");
  }
  auto* skipped = plan.skipped.empty() ? nullptr : out.AddSectionDictionary("SKIPPED");
  for (const auto& list : plan.skipped)
    skipped->AddSectionDictionary("SKIPPED_LIST")->SetValue("LIST_KEY", list);
  section->SetValueAndShowSection("RESIDUAL", plan.residual.value_or(""), "HAS_RESIDUAL");
  if (!plan.residual) section->ShowSection("NO_RESIDUAL");
  section->SetValue("REQUESTS", std::to_string(plan.requests));
  section->SetValue("ESTIMATED_COST", fmt::format("{:.1f}", plan.estimated_cost));
}

void fill_alternatives(Dictionary& out, const Explanation& plan) {
  if (plan.alternatives.empty()) return;
  auto* section = out.AddSectionDictionary("ALTERNATIVES");
  for (const auto& [summary, cost] : plan.alternatives) {
    auto* row = section->AddSectionDictionary("ALTERNATIVE");
    row->SetValue("SUMMARY", summary);
    row->SetValue("ESTIMATED_COST", fmt::format("{:.1f}", cost));
  }
}

}  // namespace

void fill_plan(Dictionary& out, const Explanation& plan, const Query& query) {
  auto* section = out.AddSectionDictionary("PLAN");
  section->SetValue("SUMMARY", plan.summary);
  section->SetValue("INDEX", plan.index);
  plan.index == "bitmap" ? fill_bitmaps(*section, plan) : fill_lists(*section, plan);
  section->SetValue("ENTRIES_READ", std::to_string(plan.read));
  section->SetValue("DISCARDED", std::to_string(plan.discarded));
  if (plan.consumed_capacity > 0) {
    section->SetValueAndShowSection("CONSUMED", fmt::format("{:.1f}", plan.consumed_capacity),
                                    "HAS_CONSUMED");
  }
  section->SetValue("TIME_US", std::to_string(plan.microseconds));
  fill_alternatives(*section, plan);
  section->SetValueAndShowSection("JSON_HREF", json_address(query), "HAS_JSON");
}

}  // namespace quire::http
