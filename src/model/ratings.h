// Averages of ratings.
#pragma once

#include <cstdint>

#include "quire/statistics.h"

namespace quire {

std::uint64_t total(const RatingCounts& counts);

// The arithmetic mean; 0 without comments.
double average(const RatingCounts& counts);

// A mean that a few comments move little: the lower end of the 90 % credible interval of the mean,
// with one comment of each rating assumed beforehand. 0 without comments.
//   S = Σ s_k p_k − 1.65 √((Σ s_k² p_k − (Σ s_k p_k)²) / (N + 6)),  p_k = (n_k + 1) / (N + 5)
// Evan Miller, "Ranking Items With Star Ratings" (2014),
// https://www.evanmiller.org/ranking-items-with-star-ratings.html
double adjusted_average(const RatingCounts& counts);

}  // namespace quire
