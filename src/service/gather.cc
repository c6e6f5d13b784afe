#include "service/gather.h"

#include <algorithm>
#include <cmath>

namespace quire {
namespace {

constexpr double patience = 8;  // times the expected number of entries
constexpr std::size_t least_budget = 256;
constexpr std::size_t largest_read = 1000;

// A list is asked for its expected share of the page and a margin that few pages exceed: entries
// arrive like random draws, so the share varies by about its square root.
std::size_t ask(const Choice& choice, const Cell& list, const Counts& counts, std::size_t missing,
                std::uint64_t matches) {
  double held = 0;
  for (const auto& each : choice.lists) held += static_cast<double>(counts.length(each));
  double share = static_cast<double>(missing) * static_cast<double>(counts.length(list)) /
                 static_cast<double>(std::max<std::uint64_t>(matches, 1));
  if (!choice.drops()) {
    share = static_cast<double>(missing) * static_cast<double>(counts.length(list)) /
            std::max(held, 1.0);
    if (choice.lists.size() == 1) return missing;
    return std::min(missing, static_cast<std::size_t>(share + std::sqrt(share) + 2));
  }
  return std::clamp<std::size_t>(static_cast<std::size_t>(share + std::sqrt(share) + 2), 1,
                                 largest_read);
}

struct Way {
  const Choice& choice;
  Filter residual;
  std::size_t budget;  // entries it may read
};

// Whether the rows were completed within the way's budget.
Awaitable<Result<bool>> follow(View& view, const Plan& plan, const Counts& counts, const Way& way,
                               Order order, Merge& merge, std::size_t wanted, Gathered& gathered) {
  for (auto dry = merge.advance(); !dry.empty(); dry = merge.advance()) {
    if (merge.read() >= way.budget) co_return false;
    std::vector<Range> ranges;
    std::size_t missing = wanted - merge.rows().size();
    for (auto list : dry) {
      const Cell& cell = way.choice.lists[list];
      ranges.push_back(
          {cell, merge.after(list), ask(way.choice, cell, counts, missing, plan.matches)});
    }
    auto slices = co_await view.read(plan.filter.product, order, ranges, way.choice.drops());
    if (!slices) co_return slices.error();
    gathered.requests += ranges.size();
    for (std::size_t i = 0; i < dry.size(); ++i) merge.feed(dry[i], std::move((*slices)[i]));
  }
  co_return true;
}

}  // namespace

Awaitable<Result<Gathered>> gather(View& view, const Plan& plan, const Counts& counts, Span span) {
  Gathered gathered;
  const Choice& chosen = plan.chosen();
  auto budget =
      std::max<std::size_t>(least_budget, static_cast<std::size_t>(patience * chosen.entries));
  std::vector<Way> ways;
  if (chosen.drops()) ways.push_back({chosen, plan.residual(chosen), budget});
  ways.push_back({plan.steady(), {}, static_cast<std::size_t>(-1)});
  for (const Way& way : ways) {
    std::size_t wanted = span.wanted - gathered.rows.size();
    Merge merge(way.choice.lists.size(), span.order, span.after, wanted, way.residual);
    auto complete = co_await follow(view, plan, counts, way, span.order, merge, wanted, gathered);
    if (!complete) co_return complete.error();
    gathered.rows.insert(gathered.rows.end(), merge.rows().begin(), merge.rows().end());
    gathered.read += merge.read();
    gathered.discarded += merge.discarded();
    if (*complete) break;
    gathered.changed_plan = true;
    if (merge.reached()) span.after = merge.reached();
  }
  co_return gathered;
}

}  // namespace quire
