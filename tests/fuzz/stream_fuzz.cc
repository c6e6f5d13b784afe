// Fuzzes the answers of DynamoDB streams: shards, and records of a shard.
#include <algorithm>
#include <set>

#include "dynamodb/streams.h"
#include "fuzz.h"
#include "store/dynamodb/stream/source.h"

namespace quire::fuzz {
namespace {

using namespace dynamodb;

void check_order(const std::vector<Shard>& shards) {
  auto ordered = parents_first(shards);
  require(ordered.size() == shards.size(), "no shard is lost");
  std::multiset<std::string> before, after;
  for (const auto& shard : shards) before.insert(shard.id);
  for (const auto& shard : ordered) after.insert(shard.id);
  require(before == after, "shards stay unchanged");
}

void check_record(const Record& record) {
  require(!earlier(record.sequence, record.sequence), "no sequence number is before itself");
  auto changes = changes_of(record).changes;
  require(changes.size() <= 2, "a record is at most two changes");
  for (const auto& change : changes) {
    require(change.from != change.to, "a change changes something");
    require(!change.product.empty(), "a change has a product");
    require(change.sequence == record.sequence, "a change has the sequence number of its record");
  }
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto body = text_of(data, size);
  if (auto stream = decode_stream(body)) check_order(stream->shards);
  decode_iterator(body);
  if (auto read = decode_records(body)) {
    for (const auto& record : read->records) check_record(record);
    for (std::size_t i = 1; i < read->records.size(); ++i) {
      const auto &a = read->records[i - 1].sequence, &b = read->records[i].sequence;
      require(!earlier(a, b) || !earlier(b, a), "of two sequence numbers at most one is earlier");
    }
  }
  return 0;
}
