// Fuzzes the events of AWS Lambda.
#include <boost/json.hpp>

#include "fuzz.h"
#include "store/dynamodb/stream/event.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto event = quire::dynamodb::decode_event(text_of(data, size));
  if (!event) return 0;
  require(event->first.empty() == event->last.empty(), "an event has two ends or none");
  require(event->changes.empty() || !event->first.empty(), "changes come from records");
  for (const auto& change : event->changes)
    require(!change.sequence.empty() && !change.product.empty(), "a change is whole");
  boost::system::error_code no_json;
  auto answer = boost::json::parse(quire::dynamodb::event_answer(event->first), no_json);
  require(!no_json && answer.as_object().contains("batchItemFailures"), "the answer is JSON");
  return 0;
}
