#include "store/dynamodb/stream/told.h"

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

class Telling {
 public:
  explicit Telling(const Record& record) : record_(record) {}

  // `since_ms`: when its writer says that it happened.
  bool is_imported(std::uint64_t since_ms) const {
    return since_ms + imported_after_ms < record_.made_s * 1000;
  }
  void tell(EventType type, const Ulid& id, std::string product, bool fresh = false,
            bool imported = false) {
    std::uint64_t made_ms = record_.made_s * 1000;
    quire::Event event{.time_ms = made_ms,
                       .type = type,
                       .fresh = fresh,
                       .imported = imported,
                       .id = id,
                       .product = product};
    change::Change change{std::move(product), id, {}, {}, record_.sequence};
    change.event = std::move(event);
    out.changes.push_back(std::move(change));
  }

  RecordedChanges out;

 private:
  const Record& record_;
};

}  // namespace

RecordedChanges told_of(const Record& record) {
  Telling telling(record);
  auto before = comment_of(record.before), after = comment_of(record.after);
  if (!after) telling.out.damage = damage_of(record.after);
  auto reports = reports_in(record.after);
  auto reported = comment_of_partition(record.after);
  if (reported && reports.size() > reports_in(record.before).size())
    telling.tell(EventType::reported, *reported, {}, false,
                 telling.is_imported(reports.back().at_ms));
  bool moved = before && after && before->product != after->product;
  if (before && (moved || !after)) telling.tell(EventType::removed, before->id, before->product);
  if (after && !before) {
    // It was there before if the item was damaged.
    bool fresh = record.before.empty() || record.before.contains(std::string(removed_attribute));
    bool imported = fresh && telling.is_imported(after->id.ms());
    telling.tell(event_of(after->moderation.status), after->id, after->product, fresh, imported);
  } else if (moved) {
    telling.tell(EventType::changed, after->id, after->product);
  } else if (after && *before != *after) {
    telling.tell(type_of(*before, *after), after->id, after->product);
  }
  return std::move(telling.out);
}

}  // namespace quire::dynamodb
