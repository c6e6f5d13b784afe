#include "http/html/chosen_html.h"

#include "http/html/labels.h"
#include "http/query.h"

namespace quire::http {
namespace {

FacetType type_of(const std::vector<FacetStatus>& facets, std::string_view name) {
  for (const auto& each : facets) {
    if (each.facet.name == name) return each.facet.type;
  }
  return FacetType::choice;
}

}  // namespace

std::string condition_label(const std::vector<FacetStatus>& facets, const std::string& name,
                            const std::string& value) {
  auto facet = facet_of(name);
  auto type = type_of(facets, facet);
  if (type == FacetType::flag && name.starts_with("not.")) {
    auto other = value_label(facet, type, value == "true" ? "false" : "true");
    return facet_label(facet) + ": " + other + " or not stated";
  }
  auto text = value_label(facet, type, value);
  auto what = name.starts_with("not.") ? "not "
              : name.ends_with(".all") ? "also "
              : name.ends_with(".min") ? "at least "
              : name.ends_with(".max") ? "at most "
                                       : "";
  return facet_label(facet) + ": " + what + text;
}

Query without(const Query& query, const std::string& name, const std::string& value) {
  Query out{.product = query.product,
            .limit = query.limit,
            .sort = query.sort,
            .sort_facet = query.sort_facet};
  // The parameters were taken before, so none is refused.
  for (const auto& [each, its] : filter_parameters(query)) {
    if (each != name || its != value) add_filter(out, each, its);
  }
  return out;
}

void fill_chosen(Values& out, const ShownPage& page, const std::string& self) {
  auto chosen = filter_parameters(page.query);
  if (chosen.empty()) return;
  // Each condition that can be removed repeats all others.
  constexpr std::size_t max_bytes = 256 * 1024;
  if (chosen.size() * page_address(self, page.query).size() > max_bytes) return;
  auto& section = out.add("CHOSEN");
  for (const auto& [name, value] : chosen) {
    auto& row = section.add("CHIP");
    row.set("LABEL", condition_label(page.facets, name, value));
    row.set("HREF", page_address(self, without(page.query, name, value)));
  }
}

}  // namespace quire::http
