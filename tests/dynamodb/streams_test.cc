// Streams as the service describes them: shards in order, and records with their images.
#include "dynamodb/streams.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

namespace quire::dynamodb {
namespace {

constexpr std::string_view records_body =
    R"({"Records":[
      {"eventID":"1","eventName":"INSERT","dynamodb":{"ApproximateCreationDateTime":1.7e9,
       "Keys":{"PK":{"S":"a"}},"NewImage":{"PK":{"S":"a"},"rating":{"N":"5"}},
       "SequenceNumber":"000000000000000000001","SizeBytes":30}},
      {"eventName":"MODIFY","dynamodb":{"Keys":{"PK":{"S":"a"}},"OldImage":{"rating":{"N":"5"}},
       "NewImage":{"rating":{"N":"4"}},"SequenceNumber":"2"}},
      {"eventName":"REMOVE","userIdentity":{"principalId":"dynamodb.amazonaws.com","type":"Service"},
       "dynamodb":{"Keys":{"PK":{"S":"a"}},"OldImage":{"rating":{"N":"4"}},"SequenceNumber":"13"}}],
     "NextShardIterator":"further"})";

TEST(Streams, SequenceNumbersAreComparedAsNumbers) {
  EXPECT_TRUE(earlier("9", "10"));
  EXPECT_FALSE(earlier("10", "9"));
  EXPECT_TRUE(earlier("000000000000000000009", "10"));
  EXPECT_FALSE(earlier("007", "7"));
  EXPECT_FALSE(earlier("7", "007"));
  EXPECT_TRUE(earlier("0", "1"));
  EXPECT_FALSE(earlier("0", "00"));
  EXPECT_TRUE(earlier("499999999999999999999999", "500000000000000000000000"));
}

TEST(Streams, RecordsHaveBothImages) {
  auto read = decode_records(records_body);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->records.size(), 3u);
  EXPECT_EQ(read->next, "further");
  const auto& [insert, modify, remove] =
      std::tie(read->records[0], read->records[1], read->records[2]);
  EXPECT_EQ(insert.kind, Record::Kind::insert);
  EXPECT_EQ(insert.made_s, 1'700'000'000u);
  EXPECT_TRUE(insert.before.empty());
  EXPECT_EQ(insert.after, (Item{{"PK", string("a")}, {"rating", number(5)}}));
  EXPECT_EQ(modify.before, (Item{{"rating", number(5)}}));
  EXPECT_EQ(modify.after, (Item{{"rating", number(4)}}));
  EXPECT_EQ(remove.kind, Record::Kind::remove);
  EXPECT_EQ(remove.key, (Item{{"PK", string("a")}}));
  EXPECT_TRUE(remove.expired);
  EXPECT_FALSE(modify.expired);
}

TEST(Streams, AnAnswerWithoutRecordsIsNotTheEnd) {
  auto read = decode_records(R"({"Records":[],"NextShardIterator":"on"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->next, "on");
  EXPECT_EQ(decode_records(R"({"Records":[]})")->next, "") << "but no iterator is";
}

TEST(Streams, AreDescribedInSeveralAnswers) {
  auto read = decode_stream(
      R"({"StreamDescription":{"StreamStatus":"ENABLED","LastEvaluatedShardId":"b","Shards":[
        {"ShardId":"a","SequenceNumberRange":{"StartingSequenceNumber":"1","EndingSequenceNumber":"9"}},
        {"ShardId":"b","ParentShardId":"a","SequenceNumberRange":{"StartingSequenceNumber":"10"}}]}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->status, "ENABLED");
  EXPECT_EQ(read->further, "b");
  ASSERT_EQ(read->shards.size(), 2u);
  EXPECT_EQ(read->shards[0].last, "9");
  EXPECT_EQ(read->shards[1].last, "") << "it is open";
  EXPECT_EQ(read->shards[1].parent, "a");
}

TEST(Streams, AreReadOnAfterTheLastRecord) {
  auto body = [](const Call& call) { return boost::json::parse(call.body); };
  EXPECT_EQ(body(shard_iterator("arn", "s", "")).at("ShardIteratorType"), "TRIM_HORIZON");
  auto later = body(shard_iterator("arn", "s", "17"));
  EXPECT_EQ(later.at("ShardIteratorType"), "AFTER_SEQUENCE_NUMBER");
  EXPECT_EQ(later.at("SequenceNumber"), "17");
  EXPECT_EQ(body(describe_stream("arn", "s")).at("ExclusiveStartShardId"), "s");
  EXPECT_FALSE(body(describe_stream("arn", "")).as_object().contains("ExclusiveStartShardId"));
  EXPECT_EQ(body(get_records("i", 1000)).at("Limit"), 1000);
}

// Shards in any order are put in order, and none is lost.
TEST(Streams, ParentsComeFirst) {
  std::vector<Shard> family = {
      {"a", "gone", ""}, {"b", "a", ""}, {"c", "a", ""}, {"d", "c", ""}, {"e", "", ""}};
  auto by_id = [](const Shard& x, const Shard& y) { return x.id < y.id; };
  do {
    auto ordered = parents_first(family);
    ASSERT_EQ(ordered.size(), family.size());
    std::set<std::string> seen;
    for (const auto& shard : ordered) {
      bool has_parent = shard.parent == "a" || shard.parent == "c";
      EXPECT_TRUE(!has_parent || seen.contains(shard.parent)) << shard.id;
      seen.insert(shard.id);
    }
    EXPECT_EQ(seen.size(), family.size());
  } while (std::next_permutation(family.begin(), family.end(), by_id));
  EXPECT_EQ(parents_first({{"a", "b", ""}, {"b", "a", ""}}).size(), 2u) << "a ring ends, too";
}

}  // namespace
}  // namespace quire::dynamodb
