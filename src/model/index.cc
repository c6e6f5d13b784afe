#include "model/index.h"

#include "base/percent.h"

namespace quire {

Cell list_of(const Index& index, const Cell& cell) {
  Cell list{};
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (index.keyed[facet]) list[facet] = cell[facet];
  }
  return list;
}

std::string list_key(std::string_view product, const Cell& list, std::size_t part) {
  std::string key = "PRODUCT#" + percent_encode(product);
  for (std::size_t facet = 0; facet < facet_count; ++facet) {
    if (list[facet] != any) key.append("/").append(list_facets[facet].text(list[facet]));
  }
  if (part > 0) key += "#part" + std::to_string(part);
  return key;
}

}  // namespace quire
