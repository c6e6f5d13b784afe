#include "store/dynamodb/stream/event.h"

#include <boost/json.hpp>

#include "dynamodb/item.h"
#include "store/dynamodb/stream/source.h"

namespace quire::dynamodb {

namespace json = boost::json;

std::string table_of_stream(std::string_view arn) {
  auto begin = arn.find(":table/");
  if (begin == std::string::npos) return {};
  begin += 7;
  return std::string(arn.substr(begin, arn.find('/', begin) - begin));
}

std::optional<EventRecords> decode_event_records(std::string_view text) {
  auto object = parse_object(text);
  if (!object) return {};
  EventRecords out;
  auto* records = array_in(*object, "Records");
  if (!records) return out;
  for (const auto& value : *records) {
    auto record = decode_record(value);
    if (!record) return {};
    if (out.records.empty())
      out.table = table_of_stream(text_in(value.get_object(), "eventSourceARN"));
    out.records.push_back(std::move(*record));
  }
  return out;
}

Event event_of(const EventRecords& from) {
  Event event;
  event.table = from.table;
  if (from.records.empty()) return event;
  event.first = from.records.front().sequence;
  event.last = from.records.back().sequence;
  event.made_ms = from.records.back().made_s * 1000;
  return event;
}

std::optional<Event> decode_event(std::string_view text) {
  auto records = decode_event_records(text);
  if (!records) return {};
  Event event = event_of(*records);
  for (const auto& record : records->records) {
    auto [changes, damage] = changes_of(record);
    if (damage) event.damaged.push_back(std::move(*damage));
    std::move(changes.begin(), changes.end(), std::back_inserter(event.changes));
  }
  return event;
}

std::string event_answer(std::string_view failed_sequence) {
  json::array failures;
  if (!failed_sequence.empty())
    failures.push_back(json::object{{"itemIdentifier", failed_sequence}});
  return json::serialize(json::object{{"batchItemFailures", std::move(failures)}});
}

}  // namespace quire::dynamodb
