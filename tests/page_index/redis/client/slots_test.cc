#include "page_index/redis/client/slots.h"

#include <gtest/gtest.h>

namespace quire::redis {
namespace {

const Endpoint asked{"10.0.0.9", "7000"};

std::optional<SlotMap> map_of(std::string_view bytes) {
  Replies replies;
  replies.feed(bytes);
  auto reply = replies.next();
  EXPECT_TRUE(reply) << bytes;
  return SlotMap::parse(*reply, asked);
}

std::string shown(const std::optional<Redirection>& to) {
  if (!to) return "none";
  return (to->ask ? "ask " : "moved ") + std::to_string(to->slot) + " " + to->to.host + " " +
         to->to.port;
}

// The values of Redis's own specification, and of CLUSTER KEYSLOT.
TEST(RedisSlots, AreThoseOfRedis) {
  EXPECT_EQ(crc16("123456789"), 0x31c3);
  EXPECT_EQ(crc16(""), 0);
  EXPECT_EQ(slot_of("foo"), 12182);
  EXPECT_EQ(slot_of("{foo}bar"), slot_of("foo"));
  EXPECT_EQ(slot_of("a{foo}{bar}"), slot_of("foo"));
  EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
  EXPECT_EQ(slot_of("foo{}{bar}"), crc16("foo{}{bar}") % slot_count);
  EXPECT_EQ(slot_of("foo{bar"), crc16("foo{bar") % slot_count);
}

TEST(RedisSlots, AreServedAsTheMapSays) {
  auto map = map_of(
      "*3\r\n"
      "*4\r\n:0\r\n:5460\r\n*3\r\n$8\r\n10.0.0.1\r\n:7001\r\n$2\r\nid\r\n"
      "*3\r\n$8\r\n10.0.0.2\r\n:7002\r\n$2\r\nid\r\n"
      "*3\r\n:5461\r\n:5461\r\n*2\r\n$0\r\n\r\n:7003\r\n"
      "*3\r\n:5463\r\n:16383\r\n*2\r\n$-1\r\n:7004\r\n");
  ASSERT_TRUE(map);
  ASSERT_EQ(map->nodes().size(), 3u);
  EXPECT_EQ(map->at(5460)->where, (Endpoint{"10.0.0.1", "7001"}));
  EXPECT_TRUE(map->at(0)->replicated);
  EXPECT_EQ(map->at(5461)->where, (Endpoint{"10.0.0.9", "7003"})) << "the host that was asked";
  EXPECT_FALSE(map->at(5461)->replicated);
  EXPECT_EQ(map->at(5462), nullptr);
  EXPECT_EQ(map->at(16383)->where, (Endpoint{"10.0.0.9", "7004"}));
  map->move(5462, {"10.0.0.1", "7001"});
  map->move(5463, {"10.0.0.5", "7005"});
  EXPECT_EQ(map->at(5462)->where.port, "7001");
  EXPECT_EQ(map->at(5463)->where.port, "7005");
  EXPECT_EQ(map->at(5464)->where.port, "7004");
}

TEST(RedisSlots, AreNotReadFromOddReplies) {
  for (std::string odd : {
           "+OK\r\n",
           ":1\r\n",
           "*1\r\n:1\r\n",
           "*1\r\n*2\r\n:0\r\n:1\r\n",
           "*1\r\n*3\r\n:2\r\n:1\r\n*2\r\n$1\r\na\r\n:7001\r\n",      // the last before the first
           "*1\r\n*3\r\n:-1\r\n:1\r\n*2\r\n$1\r\na\r\n:7001\r\n",     // no slot
           "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$1\r\na\r\n:7001\r\n",  // no slot
           "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\na\r\n:0\r\n",         // no port
           "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\na\r\n:65536\r\n",     // no port
           "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n$1\r\na\r\n$4\r\n7001\r\n",
           "*1\r\n*3\r\n:0\r\n:1\r\n*0\r\n",
       })
    EXPECT_FALSE(map_of(odd)) << odd;
  EXPECT_TRUE(map_of("*0\r\n"));
}

TEST(RedisSlots, MoveAsRefusalsSay) {
  auto told = [](std::string_view refusal) { return shown(redirection_of(refusal, asked)); };
  EXPECT_EQ(told("MOVED 3999 127.0.0.1:6381"), "moved 3999 127.0.0.1 6381");
  EXPECT_EQ(told("ASK 0 cache.example:6381"), "ask 0 cache.example 6381");
  EXPECT_EQ(told("MOVED 16383 ::1:6381"), "moved 16383 ::1 6381");
  EXPECT_EQ(told("MOVED 5 :6381"), "moved 5 10.0.0.9 6381");
  EXPECT_EQ(told("MOVED 5 ?:6381"), "moved 5 10.0.0.9 6381");
  for (auto odd : {"MOVED", "MOVED ", "MOVED 5", "MOVED 5 host", "MOVED x host:1",
                   "MOVED 16384 h:1", "MOVED 5 h:0", "MOVED 5 h:65536", "MOVED 5 h:", "MOVED :5 h",
                   "ASKING 5 h:1", "ERR MOVED 5 h:1", ""})
    EXPECT_EQ(told(odd), "none") << odd;
  EXPECT_TRUE(passes("TRYAGAIN Multiple keys request during rehashing of slot"));
  EXPECT_FALSE(passes("NOSCRIPT No matching script"));
}

}  // namespace
}  // namespace quire::redis
