// A table's stream: its shards and their records. Nothing here sends anything; requests go to the
// target `streams_target`.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/calls.h"

namespace quire::dynamodb {

inline constexpr std::string_view streams_target = "DynamoDBStreams_20120810";

// Whether a sequence number comes before another of the same shard. They are compared as numbers,
// as their lengths differ.
bool earlier(std::string_view sequence, std::string_view other);

struct Shard {
  std::string id;
  std::string parent;  // the shard whose records come first; empty or no longer there: none
  std::string last;    // its last sequence number; empty: more records may come
};

struct StreamDescription {
  std::string status;  // "ENABLED"
  std::vector<Shard> shards;
  std::string further;  // the shard after which the next answer begins; empty: these are all
};

Call describe_stream(const std::string& arn, const std::string& from_shard);
std::optional<StreamDescription> decode_stream(std::string_view body);

// Orders the shards so that each comes after its parent.
std::vector<Shard> parents_first(std::vector<Shard> shards);

// `after`: the sequence number of the last record that was read; empty: starts at the oldest
// record.
Call shard_iterator(const std::string& arn, const std::string& shard, const std::string& after);
std::optional<std::string> decode_iterator(std::string_view body);

struct Record {
  enum class Kind { insert, modify, remove } kind;
  std::string sequence;
  Item key;
  Item before = {};          // of a modify or remove
  Item after = {};           // of an insert or modify
  std::uint64_t made_s = 0;  // about when it was written, in seconds since 1970
  bool expired = false;      // the service removed the item at its time of expiry
};

// A record of an answer or of AWS Lambda's event. Nothing if the value is none.
std::optional<Record> decode_record(const boost::json::value& value);

struct Records {
  std::vector<Record> records;
  std::string next;  // the iterator to read on with; empty: the shard has ended
};

// `limit`: at most 1000 records. An answer without records is not the end; one without an iterator
// is.
Call get_records(const std::string& iterator, std::size_t limit);
std::optional<Records> decode_records(std::string_view body);

}  // namespace quire::dynamodb
