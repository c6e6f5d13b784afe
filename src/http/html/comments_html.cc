#include "http/html/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "http/html/facet_values.h"
#include "http/html/labels.h"
#include "http/query.h"

namespace quire::http {
namespace {

// The values that a comment has of the facets, in their order. Its language and rating are shown
// elsewhere, and of a flag only that it is set.
void fill_attributes(Values& out, const Comment& comment, const std::vector<FacetStatus>& facets) {
  Values* section = nullptr;
  auto add = [&](const std::string& text) {
    if (!section) section = &out.add("ATTRIBUTES");
    section->add("ATTRIBUTE").set("ATTRIBUTE_TEXT", text);
  };
  for (const auto& [facet, state, progress] : facets) {
    auto found = comment.attributes.find(facet.name);
    if (found == comment.attributes.end()) continue;
    auto label = facet_label(facet.name);
    const auto& value = found->second;
    if (const auto* flag = std::get_if<bool>(&value); flag && *flag) add(label);
    if (const auto* number = std::get_if<std::int64_t>(&value))
      add(fmt::format("{}: {}", label, *number));
    if (const auto* text = std::get_if<std::string>(&value)) add(label + ": " + *text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      if (!texts->empty()) add(fmt::format("{}: {}", label, fmt::join(*texts, ", ")));
    }
  }
}

void fill_comment(Values& out, const Comment& comment, bool cut,
                  const std::vector<FacetStatus>& facets, const PageLinks& links) {
  out.set("ID", comment.id.text());
  out.set("PLACE_HREF", links.comment_place(comment.id));
  out.set("RATING_VALUE", comment.rating);
  out.set("CREATED_ISO", time_text(comment.created_ms()));
  out.set("CREATED_TEXT", day_text(comment.created_ms()));
  out.set("TITLE", comment.title);
  if (comment.title.empty()) out.show("NO_TITLE");
  out.set("TEXT", comment.text);
  if (cut) out.set("WHOLE_HREF", links.comment(comment.id));
  out.set("AUTHOR", comment.author);
  if (comment.author.empty()) out.show("ANONYMOUS");
  fill_attributes(out, comment, facets);
  if (comment.language == "und") return;
  out.set("LANG", comment.language);
  out.set("LANGUAGE_LABEL", language_label(comment.language));
}

// "Comments on 42 – Size: L, Rating: 5 stars – Oldest first – page 3": each filter and sort has a
// title of its own, as far as it is not too long.
std::string title(const ShownPage& page) {
  constexpr std::size_t max_named = 8;
  auto chosen = filter_parameters(page.query);
  std::string out = "Comments on " + page.query.product;
  for (std::size_t i = 0; i < std::min(chosen.size(), max_named); ++i) {
    out += i == 0 ? " – " : ", ";
    out += condition_label(page.facets, chosen[i].first, chosen[i].second);
  }
  if (chosen.size() > max_named) out += fmt::format(" and {} more", chosen.size() - max_named);
  if (page.query.sort != Sort::newest)
    out += " – " + sort_label(page.query.sort, page.query.sort_facet);
  auto number = page.found.number ? page.found.number->number : 1;
  return number > 1 ? out + " – page " + grouped(number) : out;
}

// The heading of the list. `all`: comments of the product.
std::string heading(const ShownPage& page, std::uint64_t all, bool active) {
  if (!active) return "All comments";
  auto total = page.found.total;
  if (!total) return "Comments that match";
  return fmt::format("{} of {}", grouped(*total), counted(std::max(all, *total), "comment"));
}

}  // namespace

void fill_as_of(Values& out, AsOf as_of_ms) {
  if (!as_of_ms) return;
  if (*as_of_ms == 0) return out.show("AS_OF_UNKNOWN");
  auto minute = time_text(*as_of_ms).substr(0, 16);  // so that the page does not change each second
  out.set("AS_OF_ISO", minute + "Z");
  out.set("AS_OF_TEXT", day_text(*as_of_ms) + ", " + minute.substr(11) + " UTC");
}

void fill_alone(Values& out, const Comment& comment, const std::vector<FacetStatus>& facets,
                const PageLinks& links) {
  auto stars = value_label("rating", FacetType::number, std::to_string(comment.rating));
  out.set("PAGE_TITLE",
          (comment.title.empty() ? stars : comment.title) + " – comment on " + comment.product);
  out.set("PRODUCT", comment.product);
  out.set("MATCH_TEXT", "One comment");
  out.set("SELF_HREF", links.self);
  out.set("ALONE_HREF", links.comment_place(comment.id));
  fill_comment(out.add("COMMENT"), comment, false, facets, links);
}

void fill_comments(Values& out, const ShownPage& page) {
  const Query& query = page.query;
  const FoundPage& found = page.found;
  auto all = found.counts.total();
  auto chosen = chosen_values(query);
  out.set("PAGE_TITLE", title(page));
  out.set("PRODUCT", query.product);
  out.set("TOTAL_TEXT", counted(all, "comment"));
  out.set("MATCH_TEXT", heading(page, all, chosen > 0));
  out.set("SELF_HREF", page.links.self);
  out.set(
      "CLEAR_HREF",
      page.links.page({.limit = query.limit, .sort = query.sort, .sort_facet = query.sort_facet}));
  if (chosen > 0) out.set("ACTIVE_COUNT", chosen);
  fill_chosen(out, page);
  if (all > 0) fill_summary(out, page);
  if (all > 0) fill_filters(out, page);
  fill_as_of(out, page.as_of_ms);
  for (const auto& [comment, cut] : page.comments)
    fill_comment(out.add("COMMENT"), comment, cut, page.facets, page.links);
  // A page of a table may have no comments yet, where more of the lists is to be read.
  if (found.rows.empty() && !found.next) out.show("EMPTY");
  if (!found.numbers_missing.empty()) out.show("NUMBERS_MISSING");
  fill_pager(out, page);
  if (found.plan) fill_plan(out, *found.plan, page);
}

}  // namespace quire::http
