#include "http/api/page_json.h"

#include <boost/json.hpp>

#include "base/decimal.h"
#include "http/api/facets_json.h"
#include "loop/turn.h"
#include "model/document.h"

namespace quire::http {
namespace {

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

}  // namespace

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
  if (query.counts) {
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
  std::size_t looked = 0;  // size of `out` at the last look at the clock, which is not cheap
  for (const auto& row : page.rows) {
    if (out.size() - looked > bytes_between_looks) {
      looked = out.size();
      if (turn_is_over()) co_await next_turn();
    }
    if (&row != page.rows.data()) out += ',';
    out += document_json(row.document);
  }
  out += "],";
  append_numbers(out, page, query);
  if (page.plan) {
    out += R"(,"plan":)";
    append_plan(out, *page.plan);
  }
  out += '}';
  co_return out;
}

}  // namespace quire::http
