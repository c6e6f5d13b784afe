#include "http/html/summary_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "http/html/labels.h"
#include "http/query.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

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

RatingCounts ratings_of(const FoundPage& page) {
  RatingCounts ratings{};
  for (const auto& row : page.counts.rows()) ratings[row.cell[rating_facet] - 1] += row.comments;
  return ratings;
}

void fill_summary(Values& out, const FoundPage& page, const Query& query, const std::string& self) {
  RatingCounts ratings = ratings_of(page);
  double mean = average(ratings);
  auto& summary = out.add("SUMMARY");
  summary.set("AVERAGE_TEXT", fmt::format("{:.1f}", mean));
  summary.set("AVERAGE_PERCENT", std::lround(mean * 20));
  for (int rating = 5; rating >= 1; --rating) {
    auto comments = ratings[static_cast<std::size_t>(rating - 1)];
    bool chosen = std::count(query.ratings.begin(), query.ratings.end(), rating) > 0;
    auto& bar = summary.add("BAR");
    bar.set("RATING_VALUE", rating);
    if (comments > 0 || chosen) {
      bar.set("HREF", page_address(self, toggled(query, rating, chosen)));
    }
    bar.set("PERCENT", percent(comments, total(ratings)));
    bar.set("COUNT", grouped(comments));
    if (chosen) bar.show("CURRENT");
  }
}

}  // namespace quire::http
