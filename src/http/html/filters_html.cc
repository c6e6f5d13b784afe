#include "http/html/parts.h"

#include <algorithm>

#include "base/limits.h"
#include "http/html/facet_values.h"
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

// Of a facet with more values the page has the first ones alone, and a link to all of them. These
// have a bounded height, and a field to find values by.
constexpr std::size_t many_values = 12, first_values = 6;

void fill_options(Values& section, const ShownPage& page, const Facet& facet,
                  const std::vector<ValueCount>& values) {
  const auto& texts = *page.texts;
  bool many = values.size() > many_values, opened = page.opened == facet.name;
  if (many && opened) {
    section.show("MANY");
    section.set("FIND_LABEL", texts.with("find_in", {{"LIST", facet_label(texts, facet.name)}}));
  } else if (many) {
    section.add("MORE").set("MORE_HREF", page.links.page(page.query, "facets=" + facet.name));
  }
  std::size_t shown = 0;
  for (const auto& [value, comments, chosen] : values) {
    if (many && !opened && !chosen && shown >= first_values) continue;
    ++shown;
    auto& option = section.add("OPTION");
    option.set("VALUE", value);
    option.set("LABEL", value_label(texts, facet.name, facet.type, value));
    if (comments) option.set("COUNT", texts.number(*comments));
    if (chosen) option.show("CHECKED");
    if (comments == 0u) option.show("ZERO");
  }
}

// Whether a choice among these values would change the list: some comments have one, and others do
// not. `matching`: comments under the present filter; absent: it is not known. Something that is
// chosen can be taken back.
bool narrows(const ShownPage& page, const Facet& facet, const std::vector<ValueCount>& values) {
  if (chosen_values(page.query, facet.name) > 0 || page.opened == facet.name) return true;
  auto matching = page.found.total;
  return std::any_of(values.begin(), values.end(), [&](const ValueCount& each) {
    return !each.comments || !matching || (*each.comments > 0 && *each.comments < *matching);
  });
}

// The same of a number.
bool narrows(const ShownPage& page, const Facet& facet) {
  const auto* counts = counts_of(page.found, facet.name);
  if (chosen_values(page.query, facet.name) > 0 || !counts || !page.found.total) return true;
  if (counts->comments == 0) return false;
  return counts->min < counts->max || counts->comments < *page.found.total;
}

// Folded, unless something of it is chosen or was asked for.
void fill_fold(Values& section, const ShownPage& page, const Facet& facet) {
  auto chosen = chosen_values(page.query, facet.name);
  if (chosen > 0) section.set("CHOSEN_COUNT", page.texts->number(chosen));
  if (chosen > 0 || page.opened == facet.name) section.show("OPEN");
}

// Each of these tells whether there is something to choose.
bool fill_rating(Values& filters, const ShownPage& page, const Facet& facet) {
  auto values = values_of(page, facet);
  if (!narrows(page, facet, values)) return false;
  fill_options(filters.add("RATING"), page, facet, values);
  return true;
}

bool fill_language(Values& filters, const ShownPage& page, const Facet& facet) {
  auto values = values_of(page, facet);
  if (!narrows(page, facet, values)) return false;
  auto& section = filters.add("LANGUAGES");
  fill_fold(section, page, facet);
  fill_options(section, page, facet, values);
  return true;
}

void fill_range(Values& section, const ShownPage& page, const Facet& facet) {
  auto& range = section.add("RANGE");
  auto bounds = conditions_on(page.query, facet.name);
  if (bounds && bounds->min) range.set("MIN_VALUE", *bounds->min);
  if (bounds && bounds->max) range.set("MAX_VALUE", *bounds->max);
  auto* counts = counts_of(page.found, facet.name);
  if (!counts || counts->comments == 0) return;
  range.set("MIN", number_label(*page.texts, counts->min));
  range.set("MAX", number_label(*page.texts, counts->max));
}

// A facet that a store declares.
bool fill_declared(Values& filters, const ShownPage& page, const Facet& facet) {
  bool is_range = facet.type == FacetType::number;
  auto values = values_of(page, facet);
  if (is_range ? !narrows(page, facet) : !narrows(page, facet, values)) return false;
  auto& section = filters.add("FACET");
  section.set("NAME", facet.name);
  section.set("FACET_LABEL", facet_label(*page.texts, facet.name));
  fill_fold(section, page, facet);
  if (is_range)
    fill_range(section, page, facet);
  else
    fill_options(section.add("CHOICES"), page, facet, values);
  return true;
}

void fill_sorts(Values& filters, const ShownPage& page) {
  auto add = [&](Sort sort, const std::string& facet = {}) {
    auto text = sort_text({.sort = sort, .sort_facet = facet});
    auto& option = filters.add("SORT");
    option.set("VALUE", text);
    option.set("LABEL", sort_label(*page.texts, sort, facet));
    if (text == sort_text(page.query)) option.show("SELECTED");
  };
  add(Sort::newest);
  add(Sort::oldest);
  for (const auto& [facet, state, progress] : page.facets) {
    if (facet.type != FacetType::number) continue;
    add(Sort::highest, facet.name);
    if (facet.name != helpful_name || page.query.sort == Sort::lowest)
      add(Sort::lowest, facet.name);
  }
}

// The conditions that no control of the form has: hidden fields keep them.
void fill_kept(Values& filters, const ShownPage& page) {
  auto has_range = [&](std::string_view name) {
    return name != "rating" &&
           std::any_of(page.facets.begin(), page.facets.end(), [&](const FacetStatus& each) {
             return each.facet.name == name && each.facet.type == FacetType::number;
           });
  };
  if (!page.links.any_language.empty()) {  // else a form without a choice would choose again
    auto& row = filters.add("KEPT");
    row.set("NAME", "language");
    row.set("VALUE", any_language);
  }
  for (const auto& [name, value] : filter_parameters(page.query)) {
    bool bound = name.ends_with(".min") || name.ends_with(".max");
    bool has_control = has_range(facet_of(name)) ? bound : facet_of(name) == name;
    if (has_control || name == "q") continue;
    auto& row = filters.add("KEPT");
    row.set("NAME", name);
    row.set("VALUE", value);
  }
}

// The query from its start, with the parameters of its filter that `keeps` is true of.
template <class Keeps>
Query keeping(const Query& query, Keeps keeps) {
  Query out{.product = query.product,
            .limit = query.limit,
            .sort = query.sort,
            .sort_facet = query.sort_facet};
  // The parameters were taken before, so none is refused.
  for (const auto& [name, value] : filter_parameters(query)) {
    if (!keeps(name, value)) continue;
    if (name == "q")
      out.words = value;
    else
      static_cast<void>(add_filter(out, name, value));
  }
  return out;
}

}  // namespace

std::string condition_label(const texts::Texts& texts, const std::vector<FacetStatus>& facets,
                            const std::string& name, const std::string& value) {
  if (name == "q") return texts.with("words_sought", {{"WORDS", value}});
  auto facet = facet_of(name);
  auto type = type_of(facets, facet);
  bool other = type == FacetType::flag && name.starts_with("not.");
  auto label = facet_label(texts, facet);
  auto text = value_label(texts, facet, type, !other ? value : value == "true" ? "false" : "true");
  if (name == "rating") return text;  // "5 stars" needs no name before it
  auto form = other                      ? "condition_or_none"
              : name.starts_with("not.") ? "condition_not"
              : name.ends_with(".all")   ? "condition_all"
              : name.ends_with(".min")   ? "condition_min"
              : name.ends_with(".max")   ? "condition_max"
                                         : "condition";
  return texts.with(form, {{"FACET", label}, {"VALUE", text}});
}

Query with(const Query& query, const std::string& name, const std::string& value) {
  auto out = without(query, "", "");
  static_cast<void>(add_filter(out, name, value));  // it was taken before
  return out;
}

Query without(const Query& query, const std::string& name, const std::string& value) {
  return keeping(query, [&](const auto& each, const auto& its) {
    return each != name || (its != value && each != "q");
  });
}

Query without(const Query& query, const std::string& name) {
  return keeping(query, [&](const auto& each, const auto&) { return each != name; });
}

std::vector<Easier> easier_than(const Query& query, const std::vector<std::string>& words) {
  constexpr std::size_t most = 8;  // of words, and of conditions
  std::vector<Easier> out;
  for (std::size_t i = 0; words.size() > 1 && i < std::min(words.size(), most); ++i) {
    auto alone = without(query, "q");
    alone.words = words[i];
    out.push_back({.query = std::move(alone), .word = words[i]});
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : filter_parameters(query))
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (std::size_t i = 0; names.size() > 1 && i < std::min(names.size(), most); ++i)
    out.push_back({.query = without(query, names[i]), .left_out = names[i]});
  return out;
}

void fill_chosen(Values& out, const ShownPage& page) {
  auto chosen = filter_parameters(page.query);
  if (chosen.empty()) return;
  // Each condition that can be removed repeats all others.
  constexpr std::size_t max_bytes = 256 * 1024;
  if (chosen.size() * page.links.page(page.query).size() > max_bytes) return;
  auto& section = out.add("CHOSEN");
  for (const auto& [name, value] : chosen) {
    auto& row = section.add("CHIP");
    row.set("LABEL", condition_label(*page.texts, page.facets, name, value));
    row.set("HREF", page.links.page(without(page.query, name, value)));
  }
}

// One comment is neither filtered nor sorted, unless it is what a filter left.
void fill_filters(Values& out, const ShownPage& page) {
  const auto& counts = page.found.counts;
  if (counts.exact && counts.total() == 1 && chosen_values(page.query) == 0) return;
  auto& filters = out.add("FILTERS");
  if (page.query.limit != limits::page_default) filters.set("LIMIT", page.query.limit);
  if (page.words && page.words->searchable) out.add("SEARCH").set("WORDS", page.query.words);
  bool choices = !page.found.total || *page.found.total > 1;  // so there is an order, too
  for (const auto& [facet, state, progress] : page.facets) {
    auto* fill = facet.name == "rating"     ? fill_rating
                 : facet.name == "language" ? fill_language
                                            : fill_declared;
    choices |= fill(filters, page, facet);
  }
  if (!choices) filters.show("NO_CHOICES");
  if (!page.opened.empty()) filters.show("OPENED");
  fill_kept(filters, page);
  fill_sorts(filters, page);
  if (!page.found.facets_missing.empty()) filters.show("COUNTS_MISSING");
}

}  // namespace quire::http
