// Counts, cost models and filters for tests of plans.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace quire {

struct NamedCosts {
  std::string_view name;
  CostModel costs;
};

inline constexpr std::array<NamedCosts, 2> cost_models = {{
    // Microseconds of the embedded store.
    {"embedded", {.per_list = 0.6, .per_entry = {0.12, 0.45, 0.45, 0.45}, .step = 0}},
    // Half a unit per 4 KiB read, 512 bytes an entry.
    {"dynamodb", {.per_list = 0, .per_entry = {0.0625, 0.0625, 0.0625, 0.0625}, .step = 0.5}},
}};

struct LanguageCounts {
  std::string_view language;
  std::array<std::uint64_t, 5> by_rating;
};

inline Counts counts_of(const std::vector<LanguageCounts>& table) {
  Counts counts;
  for (const auto& [language, by_rating] : table) {
    for (int rating = 1; rating <= 5; ++rating) {
      counts.add(cell(language, rating), by_rating[static_cast<std::size_t>(rating - 1)]);
    }
  }
  return counts;
}

// Most comments are good and English; some cells are empty.
inline Counts typical_counts() {
  return counts_of({{"de", {1, 0, 0, 5, 9}},
                    {"en", {12, 7, 0, 40, 120}},
                    {"fr", {0, 0, 2, 0, 3}},
                    {"pl", {2, 1, 3, 8, 30}}});
}

// The ratings whose bits are set, 1 being the lowest.
inline std::vector<int> ratings_of(unsigned bits) {
  std::vector<int> ratings;
  for (int rating = 1; rating <= 5; ++rating) {
    if (bits >> (rating - 1) & 1) ratings.push_back(rating);
  }
  return ratings;
}

inline Filter filter_of(std::vector<std::string> languages, unsigned ratings) {
  return make_filter({.product = "42", .languages = languages, .ratings = ratings_of(ratings)})
      .value();
}

}  // namespace quire
