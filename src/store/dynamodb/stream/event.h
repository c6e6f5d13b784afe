// What AWS Lambda hands over: records of a table's stream, and what it wants to hear of them.
// https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {

struct Event {
  std::vector<change::Change> changes;  // each with the sequence number of its record
  std::vector<Damage> damaged;          // what records put
  std::string first, last;              // sequence numbers; empty: it has no records
  std::uint64_t made_ms = 0;            // about when the last record was written
  std::string table = {};               // whose stream it is; empty: it does not say
};

// Nothing if it is no event, or has a record that is damaged. One without records, as a schedule
// sends, is an event as well.
std::optional<Event> decode_event(std::string_view json);

// All records before `sequence` are done; empty: all of them.
std::string event_answer(std::string_view failed_sequence);

}  // namespace quire::dynamodb
