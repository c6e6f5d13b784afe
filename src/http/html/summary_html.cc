#include "http/html/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
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

// Rounded to whole percent, but 0 only for none, and 100 only for all.
std::uint64_t percent(std::uint64_t part, std::uint64_t all) {
  if (part == 0 || part == all) return part == 0 ? 0 : 100;
  return std::clamp<std::uint64_t>((part * 100 + all / 2) / all, 1, 99);
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
  double mean = average(ratings);
  auto& summary = out.add("SUMMARY");
  summary.set("AVERAGE_TEXT", page.texts->forms().decimal(mean));
  summary.set("AVERAGE_PERCENT", std::lround(mean * 20));
  for (int rating = 5; rating >= 1; --rating) {
    auto comments = ratings[static_cast<std::size_t>(rating - 1)];
    bool chosen = std::count(query.ratings.begin(), query.ratings.end(), rating) > 0;
    auto& bar = summary.add("BAR");
    if (comments > 0 || chosen) {
      bar.set("HREF", page.links.page(toggled(query, rating, chosen)));
    }
    bar.set("RATING_TEXT", page.texts->number(static_cast<std::uint64_t>(rating)));
    auto share = percent(comments, total(ratings));
    bar.set("PERCENT", share);
    bar.set("PERCENT_TEXT", page.texts->forms().percent(share));
    bar.set("COUNT", page.texts->number(comments));
    if (chosen) bar.show("CURRENT");
  }
}

}  // namespace quire::http
