#include "http/html/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/text.h"
#include "http/html/facet_values.h"
#include "http/query.h"
#include "model/counts.h"

namespace quire::http {

namespace {

// The address of this page in the JSON interface.
std::string json_address(const ShownPage& page) {
  const Query& query = page.query;
  auto position = position_parameter(query);
  if (!position.empty()) position += '&';
  return page_address(
      page.links.path + "/v1/products/" + percent_encode(query.product) + "/comments", query,
      position + "facets=true&explain=true");
}

void fill_bitmaps(Values& out, const Explanation& plan) {
  auto& section = out.add("BITMAPS");
  section.set("BLOCKS", plan.blocks);
  section.set("BLOCKS_SKIPPED", plan.blocks_skipped);
  section.set("TOTALS", plan.totals_kept ? "Kept" : "Made");
  if (plan.lists.empty()) return;
  auto& terms = out.add("TERMS");
  for (const auto& term : plan.lists) terms.add("TERM").set("TERM_TEXT", term);
}

void fill_lists(Values& out, const Explanation& plan) {
  auto& section = out.add("LISTS");
  for (const auto& [list, key] : plan.start) {
    auto& row = section.add("LIST");
    row.set("LIST_KEY", list);
    row.set("START_KEY", key);
  }
  auto* skipped = plan.skipped.empty() ? nullptr : &out.add("SKIPPED");
  for (const auto& list : plan.skipped) skipped->add("SKIPPED_LIST").set("LIST_KEY", list);
  section.set("RESIDUAL", plan.residual.value_or(""));
  if (!plan.residual) section.show("NO_RESIDUAL");
  section.set("REQUESTS", plan.requests);
  section.set("ESTIMATED_COST", fmt::format("{:.1f}", plan.estimated_cost));
}

void fill_alternatives(Values& out, const Explanation& plan) {
  if (plan.alternatives.empty()) return;
  auto& section = out.add("ALTERNATIVES");
  for (const auto& [summary, cost] : plan.alternatives) {
    auto& row = section.add("ALTERNATIVE");
    row.set("SUMMARY", summary);
    row.set("ESTIMATED_COST", fmt::format("{:.1f}", cost));
  }
}

// Of each rating, the whole percent of all. They add up to 100, by largest remainders; and 0 is
// only for none, so 100 is only for all.
RatingCounts shares(const RatingCounts& ratings) {
  const auto all = total(ratings);
  RatingCounts out{}, rest{};
  std::uint64_t left = all > 0 ? 100 : 0;
  for (std::size_t i = 0; i < ratings.size() && all > 0; ++i) {
    bool few = ratings[i] > 0 && ratings[i] * 100 < all;
    out[i] = few ? 1 : ratings[i] * 100 / all;
    rest[i] = few ? 0 : ratings[i] * 100 % all;
    left -= std::min(left, out[i]);
  }
  auto most = [](RatingCounts& of) { return std::max_element(of.begin(), of.end()); };
  for (; left > 0; --left) {
    auto next = most(rest);
    ++out[static_cast<std::size_t>(next - rest.begin())];
    *next = 0;
  }
  for (auto sum = total(out); sum > 100; --sum) --*most(out);
  return out;
}

// The query with this rating added to its filter, or removed if it was chosen.
Query toggled(const Query& query, int rating, bool chosen) {
  Query other = query;
  if (chosen) std::erase(other.ratings, rating);
  if (!chosen) other.ratings.push_back(rating);
  std::sort(other.ratings.begin(), other.ratings.end());
  return other;
}

}  // namespace

void fill_plan(Values& out, const Explanation& plan, const ShownPage& page) {
  auto& section = out.add("PLAN");
  section.set("SUMMARY", plan.summary);
  section.set("INDEX", plan.index);
  plan.index == "bitmap" ? fill_bitmaps(section, plan) : fill_lists(section, plan);
  section.set("ENTRIES_READ", plan.read);
  section.set("DISCARDED", plan.discarded);
  if (plan.consumed_capacity > 0) {
    section.set("CONSUMED", fmt::format("{:.1f}", plan.consumed_capacity));
  }
  section.set("TIME_US", plan.microseconds);
  fill_alternatives(section, plan);
  section.set("JSON_HREF", json_address(page));
}

void fill_summary(Values& out, const ShownPage& page) {
  const Query& query = page.query;
  RatingCounts ratings = ratings_of(page.found.counts);
  const RatingCounts percent = shares(ratings);
  // Under the other conditions some ratings may have none: their bars lead nowhere.
  std::set<std::string> none;
  for (const auto& each : page.facets)
    if (each.facet.name == "rating")
      for (const auto& [value, count, chosen] : values_of(page, each.facet))
        if (count == 0) none.insert(value);
  double mean = average(ratings);
  auto& summary = out.add("SUMMARY");
  summary.set("AVERAGE_TEXT", page.texts->forms().decimal(mean));
  summary.set("AVERAGE_PERCENT", std::lround(mean * 20));
  for (int rating = 5; rating >= 1; --rating) {
    const auto i = static_cast<std::size_t>(rating - 1);
    auto comments = ratings[i];
    bool chosen = std::count(query.ratings.begin(), query.ratings.end(), rating) > 0;
    auto& bar = summary.add("BAR");
    bool leads = comments > 0 && !none.contains(std::to_string(rating));
    if (leads || chosen) {
      bar.set("HREF", page.links.page(toggled(query, rating, chosen)));
    }
    bar.set("RATING_TEXT", page.texts->number(static_cast<std::uint64_t>(rating)));
    bar.set("PERCENT", percent[i]);
    bar.set("PERCENT_TEXT", page.texts->forms().percent(percent[i]));
    bar.set("COUNT", page.texts->number(comments));
    if (chosen) bar.show("CURRENT");
  }
}

}  // namespace quire::http
