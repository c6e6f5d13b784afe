// The contents of Redis, byte for byte as docs/formats/pages-redis.md shows them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "bytes.h"
#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

using change::Mark;
using change::Phase;

// The value of a key: members with their scores in the order of Redis, or the fields of a hash,
// sorted.
std::vector<std::string> value(RawClient& ask, const std::string& key) {
  bool hash = ask({"TYPE", key})->bytes == "hash";
  auto reply = hash ? ask({"HGETALL", key}) : ask({"ZRANGE", key, "0", "-1", "WITHSCORES"});
  bool list = key.find(":PRODUCT#") != key.npos;
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 1 < reply->list.size(); i += 2) {
    auto member = reply->list[i].bytes;
    out.push_back((list ? hex(member) : member) + " = " + reply->list[i + 1].bytes);
  }
  if (hash) std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::string> number(RawClient& ask, const std::string& key,
                                  const std::string& field) {
  auto reply = ask({"HGET", key, field});
  if (!reply || !reply->is(Reply::Kind::bytes)) return {};
  return reply->bytes;
}

std::map<std::string, std::vector<std::string>> everything(RawClient& ask) {
  std::map<std::string, std::vector<std::string>> all;
  auto keys = ask({"KEYS", "*"});
  for (const auto& key : keys->list) all[key.bytes] = value(ask, key.bytes);
  return all;
}

TEST(RedisFormat, HasTheBytesOfTheDocument) {
  RedisServer server;
  RedisIndex index(address_of(server), "comments");
  RawClient ask(server);
  ASSERT_TRUE(wait(index.reset({Phase::building,
                                "01JD4Q0000EPOCH",
                                "arn:aws:dynamodb:eu-west-1:1:table/comments/stream/1",
                                {{"shardId-1", {"", false, 0}}, {"shardId-0", {"", true, 0}}}})));
  auto first = Ulid::parse("01JD4QXB7W0000000000000001").value();
  auto second = Ulid::parse("01JD4QXB7W0000000000000002").value();
  change::Step step{"01JD4Q0000EPOCH", "shardId-1", Mark{}, {"4917", false, 1'732'104'060'123}};
  step.changes = {{"a/b", second, {}, cell("de", 4)}, {"a/b", first, {}, cell("en", 5)}};
  ASSERT_TRUE(*wait(index.apply(step)));
  ASSERT_TRUE(*wait(index.change_phase("01JD4Q0000EPOCH", Phase::building, Phase::following)));
  const auto life = *number(ask, "quire-pages:{comments}:state", "life");
  const auto last = *number(ask, "quire-pages:{comments}:state", "number");
  EXPECT_GT(std::stoull(life), 1'700'000'000'000u) << "no reset had that number";
  EXPECT_GT(std::stoull(last), std::stoull(life));
  const std::string one = "0193497eacfc00000000000000000001 = 0";
  const std::string two = "0193497eacfc00000000000000000002 = 0";
  const std::string bucket = "quire-pages:{comments/103}:";
  std::map<std::string, std::vector<std::string>> wanted{
      {"quire-pages:{comments}:state",
       {"epoch = 01JD4Q0000EPOCH", "format = 1", "life = " + life, "number = " + last,
        "phase = following", "stream = arn:aws:dynamodb:eu-west-1:1:table/comments/stream/1"}},
      {"quire-pages:{comments}:marks", {"shardId-0 = 1 0 ", "shardId-1 = 0 1732104060123 4917"}},
      {"quire-pages:{comments}:counts", {"103 = 1"}},
      {bucket + "state", {"count = 1", "life = " + life, "low = " + last}},
      {bucket + "fences", {"shardId-1 = " + last}},
      {bucket + "products", {"a/b = 0"}},
      {bucket + "languages", {"PRODUCT#a%2Fb/de = 0", "PRODUCT#a%2Fb/en = 0"}},
      {bucket + "PRODUCT#a%2Fb/4", {two}},
      {bucket + "PRODUCT#a%2Fb/5", {one}},
      {bucket + "PRODUCT#a%2Fb/de/4", {two}},
      {bucket + "PRODUCT#a%2Fb/en/5", {one}},
  };
  for (unsigned other = 0; other < 256; ++other) {
    if (other == 103) continue;
    auto key = "quire-pages:{comments/" + std::to_string(other) + "}:state";
    wanted[key] = {"life = " + life, "low = " + life};
  }
  EXPECT_EQ(everything(ask), wanted);
  ASSERT_TRUE(
      wait(index.put({{"a/b", first, cell("en", 5), {}}, {"a/b", second, cell("de", 4), {}}})));
  EXPECT_EQ(everything(ask).size(), 3u + 256 + 1) << "an empty list is no key";
}

// A step that a worker began, and that nobody has completed.
TEST(RedisFormat, KeepsAnOpenStepWhole) {
  RedisServer server;
  RedisIndex index(address_of(server), "t");
  RawClient ask(server);
  ASSERT_TRUE(wait(index.reset({Phase::following, "e", "arn", {{"s", {"1"}}}})));
  ASSERT_TRUE(ask({"SET", "quire-pages:{t/103}:fences", "in the way"}));
  auto id = Ulid::parse("01JD4QXB7W0000000000000001").value();
  change::Step step{"e", "s", Mark{"1"}, {"2"}};
  step.changes = {{"a/b", id, cell("en", 5), cell("de", 5)}};
  EXPECT_FALSE(wait(index.apply(step)));
  auto number = *::quire::redis::number(ask, "quire-pages:{t}:state", "number");
  EXPECT_EQ(value(ask, "quire-pages:{t}:open"), std::vector{"s = " + number});
  auto open = ask({"HGET", "quire-pages:{t}:steps", "s"});
  ASSERT_TRUE(open);
  std::string bytes = open->bytes;
  for (std::size_t at; (at = bytes.find(id.view())) != bytes.npos;) bytes.replace(at, 16, "ID");
  for (std::size_t at; (at = bytes.find("\r\n")) != bytes.npos;) bytes.replace(at, 2, " ");
  EXPECT_EQ(bytes,
            "*49 $5 0 0 2 $1 0 $3 103 $1 3 $13 PRODUCT#a%2Fb $16 PRODUCT#a%2Fb/de $16 "
            "PRODUCT#a%2Fb/en $2 41 $1 3 $3 a/b $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 "
            "$1 2 $1 0 $16 ID $1 4 $16 PRODUCT#a%2Fb/de $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 $1 0 "
            "$1 0 $1 0 $1 2 $1 0 $16 ID $1 4 $16 PRODUCT#a%2Fb/en $1 0 $1 0 $1 0 $1 0 $1 0 "
            "$1 0 $1 0 $1 0 $1 1 $16 ID $1 0 ");
}

}  // namespace
}  // namespace quire::redis
