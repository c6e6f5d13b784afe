#include "plan/terms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  for (const auto& clause : filter.rest) out.push_back(term(clause));
  return out;
}

}  // namespace quire
