#include "model/filter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "model/validate.h"

namespace quire {
namespace {

void normalise(std::vector<FacetValue>& values, std::size_t domain) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (domain != 0 && values.size() == domain) values.clear();
}

Error refused(std::size_t facet) {
  std::string name(facets[facet].name);
  return {ErrorCode::invalid_parameter,
          name + " is " + std::string(facets[facet].wanted) + ", and may be repeated.", name};
}

}  // namespace

bool Filter::matches(const Cell& cell) const {
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    const auto& wanted = values[facet];
    if (!wanted.empty() && !std::binary_search(wanted.begin(), wanted.end(), cell[facet])) {
      return false;
    }
  }
  return true;
}

Result<Filter> make_filter(const Query& query) {
  if (auto error = check_product(query.product)) return std::move(*error);
  Filter filter{query.product, {}};
  auto add = [&](Facet facet, const std::string& text) {
    auto value = facets[facet].parse(text);
    if (value) filter.values[facet].push_back(*value);
    return value.has_value();
  };
  for (const auto& language : query.languages) {
    if (!add(language_facet, language)) return refused(language_facet);
  }
  for (int rating : query.ratings) {
    if (!add(rating_facet, std::to_string(rating))) return refused(rating_facet);
  }
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    normalise(filter.values[facet], facets[facet].domain);
  }
  return filter;
}

std::uint32_t fingerprint(const Filter& filter) {
  std::string bytes = filter.product;
  auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  for (const auto& values : filter.values) {
    const FacetValue separator = any;  // no product or value contains it
    add(&separator, sizeof separator);
    add(values.data(), values.size() * sizeof(FacetValue));
  }
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace quire
