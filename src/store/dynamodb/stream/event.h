// The event that AWS Lambda hands over, with records of a table's stream, and the answer it
// expects. https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "dynamodb/streams.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct Event {
  std::vector<change::Change> changes;  // each with the sequence number of its record
  std::vector<Damage> damaged;          // items that the records put
  std::string first, last;              // sequence numbers; empty: no records
  std::uint64_t made_ms = 0;            // about when the last record was written, since 1970
  std::string table = {};               // the table's name; empty: the event does not name it
};

// The TABLE of arn:aws:dynamodb:REGION:ACCOUNT:table/TABLE/stream/TIME. Empty: it is of none.
std::string table_of_stream(std::string_view arn);

// An event's records, undecoded, and the name of their table.
struct EventRecords {
  std::vector<Record> records;
  std::string table = {};
};
std::optional<EventRecords> decode_event_records(std::string_view json);
// The event of these records, without its changes and damaged items.
Event event_of(const EventRecords& records);

// Nothing if the text is no event, or has a damaged record. An event may have no records: a
// schedule sends such an event.
std::optional<Event> decode_event(std::string_view json);

// The answer that all records before `failed_sequence` are done; empty: all records are.
std::string event_answer(std::string_view failed_sequence);

}  // namespace quire::dynamodb
