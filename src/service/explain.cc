#include "service/explain.h"

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

Explanation explain(View& view, const Plan& plan, const std::optional<Ulid>& after,
                    const Gathered& gathered) {
  const Choice& choice = plan.chosen();
  const std::string& product = plan.filter.product;
  Explanation out;
  out.index = choice.index->name;
  for (const auto& list : choice.lists) {
    out.lists.push_back(list_key(product, list));
    out.start.push_back({out.lists.back(), after ? view.start_key(product, list, *after) : ""});
  }
  for (const auto& list : choice.skipped) out.skipped.push_back(list_key(product, list));
  out.residual = residual_text(plan, choice);
  out.summary = summary(plan);
  if (gathered.changed_plan)
    out.summary += "; dropped too much, finished by " + summary(plan, plan.steady());
  out.estimated_cost = choice.cost;
  out.read = gathered.read;
  out.discarded = gathered.discarded;
  out.requests = gathered.requests;
  out.consumed_capacity = view.consumed();
  for (std::size_t i = 1; i < plan.choices.size(); ++i) {
    out.alternatives.push_back({summary(plan, plan.choices[i]), plan.choices[i].cost});
  }
  return out;
}

}  // namespace quire
