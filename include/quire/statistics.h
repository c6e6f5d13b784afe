// The statistics of a product.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quire/comment.h"

namespace quire {

// Numbers of comments with 1 to 5 stars, 1 first.
using RatingCounts = std::array<std::uint64_t, 5>;

struct ProductStatistics {
  RatingCounts ratings{};
  double average = 0;  // the arithmetic mean; 0 without comments
  std::vector<std::pair<std::string, std::uint64_t>> languages;  // those with comments, by name
  std::optional<Comment> latest;
  std::optional<Comment> latest_positive;  // the newest with 4 or 5 stars
  std::optional<Comment> latest_critical;  // the newest with 1 or 2
  // Everything written before this time is counted, in ms since 1970; absent: everything is.
  std::optional<std::uint64_t> as_of_ms;
};

// What makes a product one of the best.
enum class Leaders { five_star, average };

struct ProductRating {
  std::string product;
  RatingCounts ratings{};
  double average = 0;
  double adjusted_average = 0;  // a mean that a few comments move little; see docs/statistics.md
};

}  // namespace quire
