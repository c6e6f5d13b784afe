#include "listing/lists/lists_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plan/plan.h"

namespace quire::lists {
namespace {

std::optional<std::string> residual_text(const Plan& plan, const Choice& choice) {
  auto left = terms(plan.residual(choice));
  if (left.empty()) return {};
  return fmt::format("{}", fmt::join(left, ", "));
}

}  // namespace

Explanation explain(ListView& view, const std::vector<Segment>& segments,
                    const SegmentsRead& found) {
  Explanation out;
  for (const auto& segment : found.segments) {
    const Plan& plan = segments[segment.segment].plan;
    const Choice& choice = plan.chosen();
    const std::string& product = plan.filter.product;
    if (out.index.empty()) out.index = choice.index->name;
    for (std::size_t read = 0; read < choice.reads(); ++read) {
      const auto& list = choice.lists[read / choice.parts];
      auto of_list = read % choice.parts;
      out.lists.push_back(list_key(product, list, of_list));
      out.start.push_back(
          {out.lists.back(),
           segment.after ? view.start_key(product, list, *segment.after, of_list) : ""});
    }
    for (const auto& list : choice.skipped) out.skipped.push_back(list_key(product, list));
    if (!choice.skipped.empty()) out.counts_age_ms = plan.counts_age_ms;
    if (!out.residual) out.residual = residual_text(plan, choice);
    if (!out.summary.empty()) out.summary += "; then ";
    out.summary += summary(plan);
    if (segment.changed_plan)
      out.summary += "; dropped too much, finished by " + summary(plan, plan.lossless());
    if (segment.stopped)
      out.summary += "; stopped where few entries were kept, the next page goes on";
    out.estimated_cost += choice.cost;
    for (std::size_t i = 1; i < plan.choices.size(); ++i) {
      out.alternatives.push_back({summary(plan, plan.choices[i]), plan.choices[i].cost});
    }
  }
  out.read = found.read;
  out.requests = found.requests;
  out.consumed_capacity = view.consumed();
  return out;
}

void add_search(Explanation& out, std::uint64_t n) {
  out.summary += fmt::format("; row {} found by the page index", n + 1);
}

}  // namespace quire::lists
