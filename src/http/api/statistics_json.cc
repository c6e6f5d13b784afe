#include "http/api/statistics_json.h"

#include <fmt/format.h>

#include "http/parameters.h"
#include "model/document.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

std::string ratings_json(const RatingCounts& counts) {
  std::string out = "{";
  for (std::size_t i = 0; i < counts.size(); ++i)
    out += fmt::format(R"({}"{}":{})", i == 0 ? "" : ",", i + 1, counts[i]);
  return out + "}";
}

void append_comment(std::string& out, std::string_view name, std::string_view document) {
  out += fmt::format(R"(,"{}":{})", name,
                     document.empty() ? std::string_view("null") : document_json(document));
}

void append_as_of(std::string& out, AsOf as_of_ms) {
  if (!as_of_ms) return;
  out += *as_of_ms > 0 ? fmt::format(R"(,"as_of":"{}")", time_text(*as_of_ms)) : R"(,"as_of":null)";
}

}  // namespace

std::string statistics_json(std::string_view product, const Statistics& statistics) {
  std::string out = R"({"product":)";
  append_json_string(out, product);
  out += fmt::format(R"(,"total":{},"average":{:.4g},"ratings":{},"languages":{{)",
                     total(statistics.ratings), average(statistics.ratings),
                     ratings_json(statistics.ratings));
  for (const auto& [language, comments] : statistics.languages) {
    out += fmt::format(R"({}"{}":{})", &language == &statistics.languages.front().first ? "" : ",",
                       language, comments);
  }
  auto latest = statistics.latest.empty() ? std::nullopt : decode_document(statistics.latest);
  out += latest ? fmt::format(R"(}},"last_comment_at":"{}")", time_text(latest->created_ms()))
                : R"(},"last_comment_at":null)";
  append_comment(out, "latest_positive", statistics.latest_positive);
  append_comment(out, "latest_critical", statistics.latest_critical);
  append_as_of(out, statistics.as_of_ms);
  return out + "}";
}

std::string totals_json(const ProductTotals& totals) {
  std::string out = R"({"products":[)";
  for (const auto& [product, comments, ratings] : totals.products) {
    if (out.back() != '[') out += ",";
    out += R"({"product":)";
    append_json_string(out, product);
    out += fmt::format(R"(,"total":{},"average":{:.4g},"ratings":{}}})", comments, average(ratings),
                       ratings_json(ratings));
  }
  out += "]";
  append_as_of(out, totals.as_of_ms);
  return out + "}";
}

std::string leaderboard_json(Leaders by, std::string_view language, const Leaderboard& board) {
  std::string out = fmt::format(R"({{"by":"{}","language":{},"products":[)", leaders_text(by),
                                language.empty() ? "null" : fmt::format(R"("{}")", language));
  for (const auto& leader : board.leaders) {
    if (&leader != board.leaders.data()) out += ",";
    out += R"({"product":)";
    append_json_string(out, leader.product);
    out += fmt::format(R"(,"total":{},"five_star":{},"average":{:.4g},"adjusted_average":{:.4g},)",
                       total(leader.ratings), leader.ratings[4], average(leader.ratings),
                       adjusted_average(leader.ratings));
    out += R"("ratings":)" + ratings_json(leader.ratings) + "}";
  }
  out += "]";
  append_as_of(out, board.as_of_ms);
  return out + "}";
}

}  // namespace quire::http
