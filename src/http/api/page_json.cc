#include "http/api/page_json.h"

#include <boost/json.hpp>

#include "loop/turn.h"
#include "model/document.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::size_t bytes_between_looks = 64 * 1024;

json::array texts(const std::vector<std::string>& lines) {
  return json::array(lines.begin(), lines.end());
}

json::object plan_json(const Explanation& plan) {
  json::object start;
  for (const auto& [list, key] : plan.start) {
    start[list] = key.empty() ? json::value(nullptr) : json::parse(key);
  }
  json::array alternatives;
  for (const auto& [summary, cost] : plan.alternatives) {
    alternatives.push_back({{"summary", summary}, {"estimated_cost", cost}});
  }
  json::object out{{"index", plan.index},
                   {"lists", texts(plan.lists)},
                   {"residual", nullptr},
                   {"skipped", texts(plan.skipped)},
                   {"summary", plan.summary},
                   {"start", start},
                   {"estimated_cost", plan.estimated_cost},
                   {"read", plan.read},
                   {"discarded", plan.discarded},
                   {"requests", plan.requests},
                   {"consumed_capacity", plan.consumed_capacity},
                   {"alternatives", alternatives}};
  if (plan.residual) out["residual"] = *plan.residual;
  return out;
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
  out += R"(},"total":)";
  out += std::to_string(page.total);
  if (page.plan) out.append(R"(,"plan":)").append(json::serialize(plan_json(*page.plan)));
}

Awaitable<std::string> page_json(const FoundPage& page, const Query& query, std::string out) {
  out.reserve(size_of(page));
  out += R"({"comments":[)";
  std::size_t looked = 0;  // at the clock, which costs as much as a short comment
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
  out += '}';
  co_return out;
}

}  // namespace quire::http
