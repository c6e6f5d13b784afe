#include "service/explain.h"

#include <fmt/format.h>

namespace quire {
namespace {

std::optional<std::string> residual_text(const Plan& plan, const Choice& choice) {
  std::string text;
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (!choice.residual[facet]) continue;
    if (!text.empty()) text += ", ";
    text += facets[facet].name;
    for (auto value : plan.filter.values[facet]) text.append(" ").append(facets[facet].text(value));
  }
  if (text.empty()) return {};
  return text;
}

}  // namespace

Explanation explain(View& view, const std::vector<Section>& sections, const Start& start,
                    const Found& found) {
  Explanation out;
  for (const auto& visit : found.visits) {
    const Plan& plan = sections[visit.section].plan;
    const Choice& choice = plan.chosen();
    const std::string& product = plan.filter.product;
    if (out.index.empty()) out.index = choice.index->name;
    for (const auto& list : choice.lists) {
      out.lists.push_back(list_key(product, list));
      out.start.push_back(
          {out.lists.back(), visit.after ? view.start_key(product, list, *visit.after) : ""});
    }
    for (const auto& list : choice.skipped) out.skipped.push_back(list_key(product, list));
    if (!out.residual) out.residual = residual_text(plan, choice);
    if (!out.summary.empty()) out.summary += "; then ";
    out.summary += summary(plan);
    if (visit.changed_plan)
      out.summary += "; dropped too much, finished by " + summary(plan, plan.steady());
    out.estimated_cost += choice.cost;
    for (std::size_t i = 1; i < plan.choices.size(); ++i) {
      out.alternatives.push_back({summary(plan, plan.choices[i]), plan.choices[i].cost});
    }
  }
  if (start.rounds > 0) {
    out.summary += fmt::format("; row {} found by the page index in {} round{}", *start.offset + 1,
                               start.rounds, start.rounds == 1 ? "" : "s");
  }
  out.read = found.read;
  out.discarded = found.read - found.rows.size();
  out.requests = found.requests;
  out.consumed_capacity = view.consumed();
  return out;
}

}  // namespace quire
