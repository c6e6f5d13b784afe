#include "plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/ensure.h"

namespace quire {

std::string term(const Clause& clause) {
  std::string text = clause.name;
  auto add = [&](std::string_view words, const std::vector<std::string>& values) {
    if (values.empty()) return;
    if (text.size() > clause.name.size()) text += ',';
    text += fmt::format("{} {}", words, fmt::join(values, " "));
  };
  add("", clause.any_of);
  add(" all of", clause.all_of);
  if (clause.min) text += fmt::format(" from {}", *clause.min);
  if (clause.max) text += fmt::format(" to {}", *clause.max);
  add(" not", clause.none_of);
  return text;
}

std::string term(ListFacet facet, const std::vector<FacetValue>& values) {
  std::string text(list_facets[facet].name);
  for (auto value : values) text.append(" ").append(list_facets[facet].text(value));
  return text;
}

std::vector<std::string> terms(const Filter& filter) {
  std::vector<std::string> out;
  for (auto facet : {language_facet, rating_facet}) {
    if (filter.restricts(facet)) out.push_back(term(facet, filter.values[facet]));
  }
  for (const auto& clause : filter.clauses) out.push_back(term(clause));
  if (!filter.words.empty()) out.push_back(fmt::format("words {}", fmt::join(filter.words, " ")));
  return out;
}

Cell covering_list(const Filter& filter) {
  Cell list{};
  for (std::size_t facet = 0; facet < facet_count; ++facet)
    if (filter.values[facet].size() == 1) list[facet] = filter.values[facet].front();
  return list;
}

std::vector<Fetch> plan_fetch(std::uint64_t comments, const Cell& list, std::uint64_t spread,
                              const CostModel& costs) {
  const auto* index = std::find_if(indexes.begin(), indexes.end(),
                                   [&](const Index& each) { return list_of(each, list) == list; });
  Fetch by_id{{}, comments, static_cast<double>(comments) * costs.per_comment};
  auto per_entry = costs.per_entry[static_cast<std::size_t>(index - indexes.begin())];
  if (per_entry >= no_such_list) return {by_id};
  Fetch from_list{list, spread, cost_of_list(costs, *index, static_cast<double>(spread))};
  if (from_list.cost < by_id.cost) return {from_list, by_id};
  return {by_id, from_list};
}

std::string summary(std::string_view product, const Fetch& fetch) {
  if (!fetch.list) return fmt::format("{} by id, cost {:.1f}", fetch.entries, fetch.cost);
  return fmt::format("from {}, {} entries, cost {:.1f}", list_key(product, *fetch.list),
                     fetch.entries, fetch.cost);
}

namespace {

std::size_t number_of(const Index& index) {
  return static_cast<std::size_t>(&index - indexes.data());
}

// Drops the values of each facet without which the filter selects as many comments.
Filter without_idle_facets(Filter filter, const Counts& counts, std::uint64_t matches) {
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (!filter.restricts(facet)) continue;
    auto values = std::exchange(filter.values[facet], {});
    if (counts.total(filter) != matches) filter.values[facet] = std::move(values);
  }
  return filter;
}

bool is_absent(const Index& index, const CostModel& costs) {
  return costs.per_entry[number_of(index)] >= no_such_list;
}

// Each comment has one of five ratings, so their lists together stand for the list of all comments
// where that is absent.
Filter without_absent_lists(Filter filter, const CostModel& costs) {
  auto& ratings = filter.values[rating_facet];
  if (is_absent(indexes.front(), costs) && ratings.empty()) ratings = {1, 2, 3, 4, 5};
  return filter;
}

bool usable(const Index& index, const Filter& filter) {
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (index.keyed[facet] && !filter.restricts(facet)) return false;
  }
  return true;
}

// Every combination of the filter's values for the facets in the index's key. None where the filter
// contradicts itself.
std::vector<Cell> lists_of(const Index& index, const Filter& filter) {
  if (filter.nothing) return {};
  std::vector<Cell> lists{Cell{}};
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (!index.keyed[facet]) continue;
    std::vector<Cell> longer;
    for (const auto& list : lists) {
      for (FacetValue value : filter.values[facet]) {
        longer.push_back(list);
        longer.back()[facet] = value;
      }
    }
    lists = std::move(longer);
  }
  return lists;
}

Choice choice_of(const Index& index, const Filter& filter, const Counts& counts) {
  Choice choice{&index, {}, {}, {}};
  choice.parts = counts.parts[number_of(index)];
  for (const auto& list : lists_of(index, filter)) {
    auto length = counts.length(list);
    bool empty = counts.is_empty(list);
    (empty ? choice.skipped : choice.lists).push_back(list);
    if (!empty) choice.lengths.push_back(length);
  }
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    choice.residual[facet] = filter.restricts(facet) && !index.keyed[facet];
  }
  return choice;
}

// Assumes that entries lie evenly. Each list gives its share of the entries
// that it takes to find the wanted rows. Of several lists each gives one entry
// more, which the merge must see. Parts of a list are alike.
void estimate(Choice& choice, std::uint64_t matches, std::size_t wanted, const CostModel& costs) {
  auto held = static_cast<double>(choice.held());
  double rows = std::min(static_cast<double>(wanted), static_cast<double>(matches));
  double taken = matches == 0 ? 0 : std::ceil(rows * held / static_cast<double>(matches));
  taken = std::min(held, taken);
  for (auto each : choice.lengths) {
    auto parts = static_cast<double>(choice.parts);
    double length = static_cast<double>(each) / parts;
    double expected = length > 0 ? taken * length / held : 0;
    double share = std::min(length, expected + (choice.reads() > 1 ? 1 : 0));
    choice.entries += parts * share;
    choice.cost += parts * cost_of_list(costs, *choice.index, share);
  }
}

}  // namespace

double cost_of_list(const CostModel& costs, const Index& index, double entries) {
  double billed = entries * costs.per_entry[number_of(index)];
  // A list that turns out to be empty is billed a step, too.
  if (costs.step > 0) billed = std::max(1.0, std::ceil(billed / costs.step)) * costs.step;
  return costs.per_list + billed;
}

const Choice& Plan::lossless() const {
  auto found = std::find_if(choices.begin(), choices.end(),
                            [](const Choice& choice) { return !choice.drops(); });
  QUIRE_ENSURE(found != choices.end());
  return *found;
}

Filter Plan::residual(const Choice& choice) const {
  Filter left{filter.product, {}, filter.clauses};
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (choice.residual[facet]) left.values[facet] = filter.values[facet];
  }
  return left;
}

Plan make_plan(const Filter& asked, const Counts& counts, std::size_t wanted,
               const CostModel& costs) {
  std::uint64_t matches = counts.total(asked);
  Plan plan{counts.exact ? without_idle_facets(asked, counts, matches) : asked,
            {},
            matches,
            counts.trusted_age_ms};
  plan.filter = without_absent_lists(std::move(plan.filter), costs);
  for (const Index& index : indexes) {
    if (!usable(index, plan.filter)) continue;
    plan.choices.push_back(choice_of(index, plan.filter, counts));
    auto& choice = plan.choices.back();
    choice.absent = is_absent(index, costs);
    estimate(choice, matches, wanted, costs);
  }
  // At equal cost the finer index wins: it drops less.
  std::reverse(plan.choices.begin(), plan.choices.end());
  std::stable_sort(plan.choices.begin(), plan.choices.end(), [](const Choice& a, const Choice& b) {
    return std::tie(a.absent, a.cost) < std::tie(b.absent, b.cost);
  });
  if (matches == 0 && !plan.lossless().absent) plan.choices = {plan.lossless()};
  return plan;
}

std::string summary(const Plan& plan, const Choice& choice) {
  std::string out = fmt::format("{}: {} {}", choice.index->name, choice.lists.size(),
                                choice.lists.size() == 1 ? "list" : "lists");
  for (const auto& list : choice.lists) {
    auto key = list_key("", list).substr(std::string_view("PRODUCT#").size());
    if (!key.empty()) out.append(" ").append(key.substr(1));
  }
  if (choice.parts > 1) out += fmt::format(" in {} parts", choice.parts);
  for (const auto& term : terms(plan.residual(choice))) out += ", keep " + term;
  if (!choice.skipped.empty()) {
    out += fmt::format(", {} empty", choice.skipped.size());
    if (plan.counts_age_ms) out += fmt::format(" {:.1f} s ago", *plan.counts_age_ms / 1000.0);
  }
  return out + fmt::format(", {:.0f} entries, cost {:.1f}", choice.entries, choice.cost);
}

std::string summary(const Plan& plan) {
  std::string out = summary(plan, plan.chosen());
  for (std::size_t i = 1; i < plan.choices.size() && !plan.choices[i].absent; ++i) {
    out += (i == 1 ? " | beat " : " | ") + summary(plan, plan.choices[i]);
  }
  return out;
}

}  // namespace quire
