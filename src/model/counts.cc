#include "model/counts.h"

#include <cmath>
#include <numeric>

namespace quire {
namespace {

constexpr double z = 1.65;  // the normal distribution's 95 % quantile: 90 % lie between both ends

}  // namespace

std::uint64_t total(const RatingCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double average(const RatingCounts& counts) {
  auto all = total(counts);
  if (all == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += static_cast<double>(i + 1) * static_cast<double>(counts[i]);
  return sum / static_cast<double>(all);
}

double adjusted_average(const RatingCounts& counts) {
  if (total(counts) == 0) return 0;
  auto all = static_cast<double>(total(counts));
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto stars = static_cast<double>(i + 1);
    double part = (static_cast<double>(counts[i]) + 1) / (all + 5);
    mean += stars * part;
    squares += stars * stars * part;
  }
  return mean - z * std::sqrt((squares - mean * mean) / (all + 6));
}

double rank_value(Leaders by, const RatingCounts& counts) {
  return by == Leaders::five_star ? static_cast<double>(counts[4]) : adjusted_average(counts);
}

}  // namespace quire
