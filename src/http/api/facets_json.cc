#include "http/api/facets_json.h"

#include "base/decimal.h"
#include "model/document.h"
#include "model/schema.h"

namespace quire::http {
namespace {

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
