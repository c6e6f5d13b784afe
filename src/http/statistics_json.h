// Statistics and leaderboard as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/comments.h"

namespace quire::http {

// "five_star", "average".
std::optional<Leaders> parse_leaders(std::string_view text);

std::string statistics_json(std::string_view product, const Statistics& statistics);
std::string leaderboard_json(Leaders by, std::string_view language, const Leaderboard& board);

}  // namespace quire::http
