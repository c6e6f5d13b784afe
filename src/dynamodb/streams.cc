#include "dynamodb/streams.h"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "dynamodb/item.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

bool is_sequence(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// An absent image is an empty item.
std::optional<Item> image(const json::object& change, std::string_view name) {
  auto* value = change.if_contains(name);
  return value ? decode_item(*value) : Item{};
}

std::optional<Record::Kind> record_kind(std::string_view name) {
  if (name == "INSERT") return Record::Kind::insert;
  if (name == "MODIFY") return Record::Kind::modify;
  if (name == "REMOVE") return Record::Kind::remove;
  return {};
}

std::optional<Shard> shard_of(const json::value& value) {
  auto* object = value.if_object();
  if (!object) return {};
  Shard shard{text_in(*object, "ShardId"), text_in(*object, "ParentShardId"), {}};
  auto* range = object_in(*object, "SequenceNumberRange");
  if (range) shard.last = text_in(*range, "EndingSequenceNumber");
  if (shard.id.empty() || (!shard.last.empty() && !is_sequence(shard.last))) return {};
  return shard;
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
bool by_service(const json::object& record) {
  auto* who = object_in(record, "userIdentity");
  if (!who) who = object_in(record, "UserIdentity");
  if (!who) return false;
  std::string principal = text_in(*who, "principalId");
  if (principal.empty()) principal = text_in(*who, "PrincipalId");
  return principal == "dynamodb.amazonaws.com";
}

}  // namespace

bool earlier(std::string_view sequence, std::string_view other) {
  auto digits = [](std::string_view text) {
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
  };
  auto a = digits(sequence), b = digits(other);
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

Call describe_stream(const std::string& arn, const std::string& from_shard) {
  json::object body{{"StreamArn", arn}};
  if (!from_shard.empty()) body["ExclusiveStartShardId"] = from_shard;
  return {"DescribeStream", json::serialize(body), Repeat::safe};
}

std::optional<StreamDescription> decode_stream(std::string_view body) {
  auto answer = parse_object(body);
  auto* stream = answer ? object_in(*answer, "StreamDescription") : nullptr;
  auto* shards = stream ? array_in(*stream, "Shards") : nullptr;
  if (!shards) return {};
  StreamDescription out{
      text_in(*stream, "StreamStatus"), {}, text_in(*stream, "LastEvaluatedShardId")};
  for (const auto& value : *shards) {
    auto shard = shard_of(value);
    if (!shard) return {};
    out.shards.push_back(std::move(*shard));
  }
  return out;
}

std::vector<Shard> parents_first(std::vector<Shard> shards) {
  std::set<std::string> waiting;
  for (const auto& shard : shards) waiting.insert(shard.id);
  std::vector<Shard> out;
  while (!shards.empty()) {
    // A circle of parents, which no service makes, is passed on as it is.
    auto ready = std::stable_partition(shards.begin(), shards.end(), [&](const Shard& shard) {
      return !waiting.contains(shard.parent) || shard.parent == shard.id;
    });
    if (ready == shards.begin()) ready = shards.end();
    for (auto at = shards.begin(); at != ready; ++at) waiting.erase(at->id);
    out.insert(out.end(), std::move_iterator(shards.begin()), std::move_iterator(ready));
    shards.erase(shards.begin(), ready);
  }
  return out;
}

Call shard_iterator(const std::string& arn, const std::string& shard, const std::string& after) {
  json::object body{{"StreamArn", arn}, {"ShardId", shard}};
  body["ShardIteratorType"] = after.empty() ? "TRIM_HORIZON" : "AFTER_SEQUENCE_NUMBER";
  if (!after.empty()) body["SequenceNumber"] = after;
  return {"GetShardIterator", json::serialize(body), Repeat::safe};
}

std::optional<std::string> decode_iterator(std::string_view body) {
  auto answer = parse_object(body);
  auto iterator = answer ? text_in(*answer, "ShardIterator") : "";
  if (iterator.empty()) return {};
  return iterator;
}

Call get_records(const std::string& iterator, std::size_t limit) {
  json::object body{{"ShardIterator", iterator}, {"Limit", limit}};
  return {"GetRecords", json::serialize(body), Repeat::safe};
}

std::optional<Record> decode_record(const json::value& value) {
  auto* object = value.if_object();
  auto* change = object ? object_in(*object, "dynamodb") : nullptr;
  auto kind = object ? record_kind(text_in(*object, "eventName")) : std::nullopt;
  if (!change || !kind) return {};
  auto key = image(*change, "Keys"), before = image(*change, "OldImage"),
       after = image(*change, "NewImage");
  std::string sequence = text_in(*change, "SequenceNumber");
  if (!key || !before || !after || !is_sequence(sequence)) return {};
  Record record{*kind, std::move(sequence), std::move(*key), std::move(*before), std::move(*after)};
  auto* made = change->if_contains("ApproximateCreationDateTime");
  boost::system::error_code no_number;
  double seconds = made ? made->to_number<double>(no_number) : 0;
  if (!no_number && seconds > 0 && seconds < 1e12)
    record.made_s = static_cast<std::uint64_t>(seconds);
  record.expired = by_service(*object);
  return record;
}

std::optional<Records> decode_records(std::string_view body) {
  auto answer = parse_object(body);
  auto* records = answer ? array_in(*answer, "Records") : nullptr;
  if (!records) return {};
  Records out{{}, text_in(*answer, "NextShardIterator")};
  for (const auto& value : *records) {
    auto record = decode_record(value);
    if (!record) return {};
    out.records.push_back(std::move(*record));
  }
  return out;
}

}  // namespace quire::dynamodb
