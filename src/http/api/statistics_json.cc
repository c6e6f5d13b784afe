#include "http/api/statistics_json.h"

#include <fmt/format.h>

#include "http/parameters.h"
#include "model/document.h"
#include "model/ratings.h"

namespace quire::http {
namespace {

void append_member(std::string& out, std::string_view name, std::uint64_t number) {
  if (out.back() != '{') out += ',';
  out.append("\"").append(name).append("\":").append(std::to_string(number));
}

void append_ratings(std::string& out, const RatingCounts& counts) {
  constexpr std::string_view names = "12345";
  out += R"("ratings":{)";
  for (std::size_t i = 0; i < counts.size(); ++i) append_member(out, names.substr(i, 1), counts[i]);
  out += '}';
}

void append_comment(std::string& out, std::string_view name, std::string_view document) {
  out.append(",\"").append(name).append("\":");
  out += document.empty() ? "null" : document_json(document);
}

void append_time(std::string& out, std::string_view name, std::optional<std::uint64_t> ms) {
  out.append(",\"").append(name).append("\":");
  out += ms ? '"' + time_text(*ms) + '"' : "null";
}

// 0: it is not known.
void append_as_of(std::string& out, AsOf as_of_ms) {
  if (as_of_ms) append_time(out, "as_of", *as_of_ms > 0 ? as_of_ms : std::nullopt);
}

}  // namespace

std::string statistics_json(std::string_view product, const Statistics& statistics) {
  std::string out = R"({"product":)";
  append_json_string(out, product);
  out += fmt::format(R"(,"total":{},"average":{:.4g},)", total(statistics.ratings),
                     average(statistics.ratings));
  append_ratings(out, statistics.ratings);
  out += R"(,"languages":{)";
  for (const auto& [language, comments] : statistics.languages)
    append_member(out, language, comments);
  out += '}';
  append_time(out, "last_comment_at", statistics.latest_ms);
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
    out += fmt::format(R"(,"total":{},"average":{:.4g},)", comments, average(ratings));
    append_ratings(out, ratings);
    out += '}';
  }
  out += "]";
  append_as_of(out, totals.as_of_ms);
  return out + "}";
}

std::string leaderboard_json(Leaders by, const Leaderboard& board) {
  std::string out =
      fmt::format(R"({{"by":"{}","language":{},"products":[)", leaders_text(by),
                  board.language.empty() ? "null" : fmt::format(R"("{}")", board.language));
  for (const auto& leader : board.leaders) {
    if (&leader != board.leaders.data()) out += ",";
    out += R"({"product":)";
    append_json_string(out, leader.product);
    out += fmt::format(R"(,"total":{},"five_star":{},"average":{:.4g},"adjusted_average":{:.4g},)",
                       total(leader.ratings), leader.ratings[4], average(leader.ratings),
                       adjusted_average(leader.ratings));
    append_ratings(out, leader.ratings);
    out += '}';
  }
  out += "]";
  append_as_of(out, board.as_of_ms);
  return out + "}";
}

}  // namespace quire::http
