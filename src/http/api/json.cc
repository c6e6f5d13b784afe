#include "http/api/json.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/text.h"
#include "http/found_words.h"
#include "http/parameters.h"
#include "model/counts.h"
#include "model/document.h"
#include "model/schema.h"

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

constexpr std::size_t bytes_between_looks = 64 * 1024;

// `key` is JSON; empty: the list is read from its beginning.
void append_start(std::string& out, const Explanation& plan) {
  out += '{';
  for (const auto& [list, key] : plan.start) {
    if (&list != &plan.start.front().list) out += ',';
    append_json_string(out, list);
    out.append(":").append(key.empty() ? "null" : boost::json::serialize(boost::json::parse(key)));
  }
  out += '}';
}

void append_alternatives(std::string& out, const Explanation& plan) {
  out += '[';
  for (const auto& [summary, cost] : plan.alternatives) {
    if (&summary != &plan.alternatives.front().summary) out += ',';
    out += R"({"summary":)";
    append_json_string(out, summary);
    out += R"(,"estimated_cost":)";
    append_decimal(out, cost);
    out += '}';
  }
  out += ']';
}

void append_plan(std::string& out, const Explanation& plan) {
  out += R"({"index":)";
  append_json_string(out, plan.index);
  out += R"(,"lists":)";
  append_texts(out, plan.lists);
  out += R"(,"residual":)";
  if (plan.residual) append_json_string(out, *plan.residual);
  if (!plan.residual) out += "null";
  out += R"(,"skipped":)";
  append_texts(out, plan.skipped);
  if (plan.counts_age_ms)
    out.append(R"(,"counts_age_ms":)").append(std::to_string(*plan.counts_age_ms));
  out += R"(,"summary":)";
  append_json_string(out, plan.summary);
  out += R"(,"start":)";
  append_start(out, plan);
  out += R"(,"estimated_cost":)";
  append_decimal(out, plan.estimated_cost);
  out.append(R"(,"read":)").append(std::to_string(plan.read));
  out.append(R"(,"discarded":)").append(std::to_string(plan.discarded));
  out.append(R"(,"requests":)").append(std::to_string(plan.requests));
  out += R"(,"consumed_capacity":)";
  append_decimal(out, plan.consumed_capacity);
  out += R"(,"alternatives":)";
  append_alternatives(out, plan);
  out.append(R"(,"blocks":)").append(std::to_string(plan.blocks));
  out.append(R"(,"blocks_skipped":)").append(std::to_string(plan.blocks_skipped));
  out.append(R"(,"totals_kept":)").append(plan.totals_kept ? "true" : "false");
  out.append(R"(,"microseconds":)").append(std::to_string(plan.microseconds));
  out += '}';
}

std::size_t size_of(const FoundPage& page) {
  std::size_t size = 512;
  for (const auto& row : page.rows) size += row.document.size() + 1;
  return size;
}

constexpr std::string_view states[] = {"ready", "building", "dropping"};

void append_status(std::string& out, const FacetStatus& status) {
  out.append(R"({"name":")").append(status.facet.name);
  out.append(R"(","type":")").append(type_text(status.facet.type)).append("\"");
  if (!status.facet.values.empty()) {
    out += R"(,"values":)";
    append_texts(out, status.facet.values);
  }
  out.append(R"(,"state":")").append(state_text(status.state)).append("\"");
  if (status.state == FacetStatus::State::building) {
    out += R"(,"progress":)";
    append_decimal(out, status.progress);
  }
  out += '}';
}

void append_range(std::string& out, const FacetCounts& counts) {
  if (counts.comments == 0) {
    out += "{}";
    return;
  }
  out.append(R"({"min":)").append(std::to_string(counts.min));
  out.append(R"(,"max":)").append(std::to_string(counts.max)).append("}");
}

void append_values(std::string& out, const FacetCounts& counts) {
  out += '{';
  for (const auto& [value, comments] : counts.values) {
    if (out.back() != '{') out += ',';
    append_json_string(out, value);
    out.append(":").append(std::to_string(comments));
  }
  out += '}';
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
    if (leader.facts) append_facts(out, *leader.facts);
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

void append_numbers(std::string& out, const FoundPage& page, const Query& query) {
  out += R"("page":{)";
  if (page.number) {
    out.append(R"("number":)").append(std::to_string(page.number->number));
    out.append(R"(,"count":)").append(std::to_string(page.number->count)).append(",");
  }
  if (!page.numbers_missing.empty()) {
    out += R"("numbers_missing":)";
    append_json_string(out, page.numbers_missing);
    out += ',';
  }
  out += R"("size":)";
  out += std::to_string(query.limit);
  out += page.next ? R"(,"has_next":true)" : R"(,"has_next":false)";
  out += page.previous ? R"(,"has_previous":true)" : R"(,"has_previous":false)";
  if (page.next) out.append(R"(,"next":")").append(*page.next).append("\"");
  if (page.previous) out.append(R"(,"previous":")").append(*page.previous).append("\"");
  out += '}';
  if (page.total) out.append(R"(,"total":)").append(std::to_string(*page.total));
  bool counted = !page.facets.empty() || page.facets_missing.empty();
  if (query.counts && counted) {
    out += R"(,"facets":)";
    append_counts(out, page.facets);
  }
  if (!page.facets_missing.empty()) {
    out += R"(,"facets_missing":)";
    append_json_string(out, page.facets_missing);
  }
}

Awaitable<std::string> page_json(const FoundPage& page, const Query& query, std::string out) {
  out.reserve(size_of(page));
  out += R"({"comments":[)";
  FoundWords words(query.words);
  std::size_t looked = 0;  // size of `out` at the last look at the clock, which is not cheap
  for (const auto& row : page.rows) {
    if (out.size() - looked > bytes_between_looks) {
      looked = out.size();
      if (turn_is_over()) co_await next_turn();
    }
    if (&row != page.rows.data()) out += ',';
    out += document_json(row.document);
    auto comment = words.any() ? decode_document(row.document) : std::nullopt;
    if (comment) append_matches(out, words, *comment);
  }
  out += "],";
  append_numbers(out, page, query);
  if (page.explanation) {
    out += R"(,"plan":)";
    append_plan(out, *page.explanation);
  }
  out += '}';
  co_return out;
}

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (const auto& text : texts) {
    if (&text != texts.data()) out += ',';
    append_json_string(out, text);
  }
  out += ']';
}

std::string facets_json(const std::vector<FacetStatus>& facets) {
  std::string out = R"({"facets":[)";
  for (const auto& status : facets) {
    if (&status != facets.data()) out += ',';
    append_status(out, status);
  }
  return out + "]}";
}

void append_counts(std::string& out, const std::vector<FacetCounts>& counts) {
  out += '{';
  for (const auto& each : counts) {
    if (&each != counts.data()) out += ',';
    out.append("\"").append(each.facet).append("\":");
    // A rating is a number whose values are counted, too.
    bool range = each.type == FacetType::number && each.facet != "rating";
    range ? append_range(out, each) : append_values(out, each);
  }
  out += '}';
}

std::string_view state_text(FacetStatus::State state) {
  return states[static_cast<std::size_t>(state)];
}

}  // namespace quire::http
