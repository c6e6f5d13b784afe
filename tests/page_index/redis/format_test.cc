// The contents of Redis, byte for byte as docs/formats/pages-redis.md shows them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

using change::Mark;
using change::Phase;

std::string hex(std::string_view bytes) {
  std::string text;
  for (unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

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
  ASSERT_TRUE(*wait(index.turn("01JD4Q0000EPOCH", Phase::building, Phase::following)));
  const std::string one = "0193497eacfc00000000000000000001 = 1732104858876";
  const std::string two = "0193497eacfc00000000000000000002 = 1732104858876";
  std::map<std::string, std::vector<std::string>> wanted{
      {"quire:{comments}:state",
       {"epoch = 01JD4Q0000EPOCH", "format = 1", "phase = following",
        "stream = arn:aws:dynamodb:eu-west-1:1:table/comments/stream/1"}},
      {"quire:{comments}:marks", {"shardId-0 = 1 0 ", "shardId-1 = 0 1732104060123 4917"}},
      {"quire:{comments}:products", {"a/b = 0"}},
      {"quire:{comments}:languages", {"PRODUCT#a%2Fb/de = 0", "PRODUCT#a%2Fb/en = 0"}},
      {"quire:{comments}:PRODUCT#a%2Fb", {one, two}},
      {"quire:{comments}:PRODUCT#a%2Fb/de", {two}},
      {"quire:{comments}:PRODUCT#a%2Fb/en", {one}},
      {"quire:{comments}:PRODUCT#a%2Fb/4", {two}},
      {"quire:{comments}:PRODUCT#a%2Fb/5", {one}},
      {"quire:{comments}:PRODUCT#a%2Fb/de/4", {two}},
      {"quire:{comments}:PRODUCT#a%2Fb/en/5", {one}},
  };
  EXPECT_EQ(everything(ask), wanted);
  ASSERT_TRUE(
      wait(index.put({{"a/b", first, cell("en", 5), {}}, {"a/b", second, cell("de", 4), {}}})));
  EXPECT_EQ(everything(ask).size(), 2u) << "an empty list is no key";
}

}  // namespace
}  // namespace quire::redis
