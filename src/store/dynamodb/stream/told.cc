#include "store/dynamodb/stream/told.h"

#include <utility>

#include "model/vote.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

// A comment that is posted has the time of its post. Clocks of servers may be so much apart, and a
// record tells its time in whole seconds, or minutes.
constexpr std::uint64_t imported_after_ms = 10 * 60 * 1000;

std::size_t reports_in(const Item& item) {
  auto reports = is_reports(item) ? read_reports(item) : std::nullopt;
  return reports ? reports->size() : 0;
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

  void tell(EventType type, const Ulid& id, std::string product, bool fresh = false) {
    std::uint64_t made_ms = record_.made_s * 1000;
    quire::Event event{.time_ms = made_ms,
                       .type = type,
                       .fresh = fresh,
                       .imported = fresh && id.ms() + imported_after_ms < made_ms,
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
  if (!after && reports_in(record.after) > reports_in(record.before)) {
    if (auto id = comment_of_partition(record.after)) telling.tell(EventType::reported, *id, {});
  }
  bool moved = before && after && before->product != after->product;
  if (before && (moved || !after)) telling.tell(EventType::removed, before->id, before->product);
  if (after && !before)
    telling.tell(event_of(after->moderation.status), after->id, after->product, true);
  else if (moved)
    telling.tell(EventType::changed, after->id, after->product);
  else if (after && *before != *after)
    telling.tell(type_of(*before, *after), after->id, after->product);
  return std::move(telling.out);
}

}  // namespace quire::dynamodb
