#include "store/dynamodb/items/queue_items.h"

#include <boost/json.hpp>

#include <algorithm>

#include "base/text.h"
#include "model/document.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

constexpr std::string_view reports_sort = "REPORTS", reports_attribute = "reports";
// DynamoDB keeps items of at most 400 KB, which a hundred reports with long notes may exceed.
constexpr std::size_t max_notes_bytes = 300'000;

std::string json_of(const Report& report, bool with_note) {
  std::string out = R"({"person":")" + hex(report.person);
  out += R"(","at":")" + time_text(report.at_ms) + '"';
  out += ",\"reason\":";
  append_json_string(out, report.reason);
  if (with_note && !report.note.empty()) {
    out += ",\"note\":";
    append_json_string(out, report.note);
  }
  append_contact(out, report.contact);
  return out + '}';
}

std::optional<Report> report_of(const json::value& value) {
  auto* members = value.if_object();
  if (!members) return {};
  Report report{};
  auto at = parse_time(text_in(*members, "at"));
  auto person = parse_hex<16>(text_in(*members, "person"));
  report.reason = text_in(*members, "reason");
  if (!at || !person || !is_reason(report.reason)) return {};
  report.person = *person;
  report.at_ms = *at;
  report.note = text_in(*members, "note");
  report.contact.name = text_in(*members, "name");
  report.contact.mail = text_in(*members, "mail");
  auto decided = text_in(*members, "decided_at");
  auto decided_ms = decided.empty() ? 0 : parse_time(decided);
  if (!decided_ms) return {};
  report.contact.decided_ms = *decided_ms;
  return report;
}

}  // namespace

std::string queue_partition(CommentStatus status) {
  return std::string(queue_prefix).append(status_name(status));
}

Item reports_key(const Ulid& id) {
  return key_of(std::string(comment_prefix) + id.text(), std::string(reports_sort));
}

Item reports_item(const Ulid& id, const std::vector<Report>& reports, bool open) {
  std::string text = "[";
  for (const auto& report : reports) {
    if (text.size() > 1) text += ',';
    text += json_of(report, text.size() + report.note.size() < max_notes_bytes);
  }
  Item item = reports_key(id);
  item.emplace(reports_attribute, string(text + ']'));
  bool kept = std::any_of(reports.begin(), reports.end(),
                          [](const Report& each) { return each.contact.decided_ms > 0; });
  if (!open && !kept) return item;
  item.emplace(queue_attribute,
               string(std::string(open ? reported_partition : contacts_partition)));
  item.emplace(sort_attribute, string(id.text()));
  return item;
}

bool is_reports(const Item& item) {
  auto key = text_of(item, "PK");
  if (!key || !key->starts_with(comment_prefix) || text_of(item, "SK") != reports_sort)
    return false;
  return is_listed(item) || !item.contains(aside_attribute);
}

std::optional<std::vector<Report>> read_reports(const Item& item) {
  auto text = text_of(item, reports_attribute);
  boost::system::error_code no_json;
  auto parsed = json::parse(text.value_or(""), no_json);
  if (no_json || !parsed.is_array()) return {};
  std::vector<Report> reports;
  for (const auto& each : parsed.get_array()) {
    auto report = report_of(each);
    if (!report) return {};
    reports.push_back(std::move(*report));
  }
  std::stable_sort(reports.begin(), reports.end(),
                   [](const Report& a, const Report& b) { return a.at_ms < b.at_ms; });
  return reports;
}

}  // namespace quire::dynamodb
