#include "listing/lists/lists_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace quire::lists {
namespace {

constexpr std::size_t max_languages = 100;

std::string unlisted(const std::vector<std::string>& names) {
  return fmt::format(
      "Lists do not know {}. An index that holds every facet counts and numbers comments by {}: "
      "--pages lmdb:DIR.",
      fmt::join(names, ", "), names.size() == 1 ? "it" : "them");
}

FacetCounts count(const Counts& counts, const Filter& filter, ListFacet facet) {
  FacetCounts out{std::string(list_facets[facet].name),
                  facet == language_facet ? FacetType::choice : FacetType::number};
  std::map<FacetValue, std::uint64_t> values;
  for (const auto& row : counts.rows())
    if (filter.matches(row.cell)) values[row.cell[facet]] += row.comments;
  for (const auto& [value, comments] : values) {
    out.values.emplace_back(list_facets[facet].text(value), comments);
    out.comments += comments;
  }
  if (facet == rating_facet && !values.empty()) {
    out.min = static_cast<std::int64_t>(values.begin()->first);
    out.max = static_cast<std::int64_t>(values.rbegin()->first);
  }
  std::sort(out.values.begin(), out.values.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  out.values.resize(std::min(out.values.size(), max_languages));
  std::sort(out.values.begin(), out.values.end());
  return out;
}

}  // namespace

CountedFacets count_cells(const Counts& counts, const Filter& filter,
                          std::span<const SchemaFacet> facets, Under under) {
  if (!filter.rest.empty()) return {{}, uncounted(filter)};
  CountedFacets out;
  std::vector<std::string> missing;
  for (const auto& facet : facets) {
    if (facet.number >= first_declared_number) {
      missing.push_back(facet.facet().name);
      continue;
    }
    auto others = under == Under::whole_filter ? filter : filter.without(facet.number);
    out.facets.push_back(
        count(counts, others, facet.number == language_number ? language_facet : rating_facet));
  }
  if (!missing.empty()) out.missing = unlisted(missing);
  return out;
}

std::string uncounted(const Filter& filter) {
  std::vector<std::string> names;
  for (const auto& clause : filter.rest) {
    bool language = clause.number == language_number;
    names.push_back(language ? "the exclusion of languages" : clause.name);
  }
  return unlisted(names);
}

}  // namespace quire::lists
