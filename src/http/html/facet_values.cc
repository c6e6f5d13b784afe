#include "http/html/facet_values.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "http/query.h"
#include "model/facets.h"

namespace quire::http {
namespace {

// A closed choice with more values is shown like an open one.
constexpr std::size_t short_choice = 12;

// The values that are shown whether comments have them or not, in their order.
std::vector<std::string> fixed_values(const Facet& facet) {
  if (facet.name == "rating") return {"5", "4", "3", "2", "1"};
  if (facet.type == FacetType::flag) return {"true", "false"};
  if (facet.values.size() <= short_choice) return facet.values;
  return {};
}

// The values that the query wants.
std::vector<std::string> wanted_values(const Query& query, const std::string& facet) {
  std::vector<std::string> out;
  for (const auto& [name, value] : filter_parameters(query)) {
    if (name == facet) out.push_back(value);
  }
  return out;
}

// What is known of the product's languages and ratings without counts under a filter.
std::vector<std::string> occurring_values(const FoundPage& page, const Facet& facet) {
  return facet.name == "language" ? languages_of(page) : facet.values;
}

using Counted = decltype(FacetCounts::values);

// The most frequent first, if asked for.
std::vector<Counted::const_iterator> in_order(const Counted& values, bool by_comments) {
  std::vector<Counted::const_iterator> out;
  for (auto each = values.begin(); each != values.end(); ++each) out.push_back(each);
  if (by_comments)
    std::stable_sort(out.begin(), out.end(), [](auto a, auto b) { return a->second > b->second; });
  return out;
}

ValueCount& find_or_add(std::vector<ValueCount>& values, const std::string& value) {
  auto at = std::find_if(values.begin(), values.end(),
                         [&](const ValueCount& each) { return each.value == value; });
  return at == values.end() ? values.emplace_back(ValueCount{value, {}}) : *at;
}

}  // namespace

std::vector<ValueCount> values_of(const ShownPage& page, const Facet& facet) {
  if (facet.type == FacetType::number && facet.name != "rating") return {};
  const auto* counts = counts_of(page.found, facet.name);
  std::vector<ValueCount> out;
  auto fixed = fixed_values(facet);
  for (const auto& value : fixed) out.push_back({value, {}});
  if (counts) {
    // The position of a value that the facet does not fix is not searched for: there may be many.
    for (const auto& each : in_order(counts->values, fixed.empty())) {
      auto& row = fixed.empty() ? out.emplace_back(ValueCount{each->first, {}})
                                : find_or_add(out, each->first);
      row.comments = each->second;
    }
  } else if (fixed.empty()) {
    for (const auto& value : occurring_values(page.found, facet)) out.push_back({value, {}});
  }
  for (const auto& value : wanted_values(page.query, facet.name))
    find_or_add(out, value).chosen = true;
  // An open choice is counted for its most frequent values alone: another wanted value has some
  // number of comments.
  bool complete =
      counts && (counts->values.size() < limits::counted_values || !facet.values.empty());
  for (auto& row : out) {
    if (complete && !row.comments) row.comments = 0;
  }
  return out;
}

std::size_t chosen_values(const Query& query, std::string_view facet) {
  std::size_t chosen = 0;
  for (const auto& [name, value] : filter_parameters(query)) chosen += facet_of(name) == facet;
  return chosen;
}

std::size_t chosen_values(const Query& query) {
  return filter_parameters(query).size();
}

const FacetFilter* conditions_on(const Query& query, std::string_view facet) {
  for (const auto& each : query.facets) {
    if (each.facet == facet) return &each;
  }
  return nullptr;
}

std::vector<std::string> languages_of(const FoundPage& page) {
  std::vector<std::string> out;
  std::set<FacetValue> seen;
  for (const auto& row : page.counts.rows()) {
    auto language = row.cell[language_facet];
    if (seen.insert(language).second) out.push_back(list_facets[language_facet].text(language));
  }
  return out;
}

const FacetCounts* counts_of(const FoundPage& page, std::string_view facet) {
  for (const auto& each : page.facets) {
    if (each.facet == facet) return &each;
  }
  return nullptr;
}

}  // namespace quire::http
