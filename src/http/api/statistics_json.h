// Statistics and leaderboard as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/comments.h"

namespace quire::http {

std::string statistics_json(std::string_view product, const Statistics& statistics);
std::string totals_json(const ProductTotals& totals);
std::string leaderboard_json(Leaders by, const Leaderboard& board);

}  // namespace quire::http
