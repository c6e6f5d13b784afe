#include "store/dynamodb/stream/told.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/vote.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

// A comment that is posted has the time of its post. Clocks of servers may be so much apart, and a
// record tells its time in whole seconds, or minutes.
constexpr std::uint64_t imported_after_ms = 10 * 60 * 1000;

std::vector<Report> reports_in(const Item& item) {
  auto reports = is_reports(item) ? read_reports(item) : std::nullopt;
  return std::move(reports).value_or(std::vector<Report>());
}

// Whether the counts of votes alone differ.
bool is_voted(Comment before, const Comment& after) {
  for (auto vote : {Vote::helpful, Vote::unhelpful}) {
    std::string name(vote_name(vote));
    before.attributes.erase(name);
    auto now = after.attributes.find(name);
    if (now != after.attributes.end()) before.attributes.insert(*now);
  }
  return before == after;
}

EventType type_of(const Comment& before, const Comment& after) {
  return is_voted(before, after) ? EventType::voted : event_between(before, after);
}

// `since_ms`: when its writer says that it happened.
bool is_imported(const Record& record, std::uint64_t since_ms) {
  return since_ms + imported_after_ms < record.made_s * 1000;
}

change::Change change_of(const Record& record, EventType type, const Ulid& id,
                         const std::string& product, bool fresh = false, bool imported = false) {
  change::Change change{product, id, {}, {}, record.sequence};
  change.event = quire::Event{.time_ms = record.made_s * 1000,
                              .type = type,
                              .fresh = fresh,
                              .imported = imported,
                              .id = id,
                              .product = product};
  return change;
}

// Absent: nobody reported the comment.
std::optional<change::Change> report_of(const Record& record) {
  auto reports = reports_in(record.after);
  auto id = comment_of_partition(record.after);
  if (!id || reports.size() <= reports_in(record.before).size()) return {};
  bool imported = is_imported(record, reports.back().at_ms);
  return change_of(record, EventType::reported, *id, {}, false, imported);
}

}  // namespace

RecordedChanges told_of(const Record& record) {
  RecordedChanges out;
  auto tell = [&](auto... event) { out.changes.push_back(change_of(record, event...)); };
  if (auto report = report_of(record)) out.changes.push_back(std::move(*report));
  auto before = comment_of(record.before), after = comment_of(record.after);
  if (!after) out.damage = damage_of(record.after);
  bool moved = before && after && before->product != after->product;
  if (before && (moved || !after)) tell(EventType::removed, before->id, before->product);
  if (after && !before) {
    // It was there before if the item was damaged.
    bool fresh = record.before.empty() || record.before.contains(std::string(removed_attribute));
    bool imported = fresh && is_imported(record, after->id.ms());
    tell(event_of(after->moderation.status), after->id, after->product, fresh, imported);
  } else if (moved) {
    tell(EventType::changed, after->id, after->product);
  } else if (after && *before != *after) {
    tell(type_of(*before, *after), after->id, after->product);
  }
  return out;
}

}  // namespace quire::dynamodb
