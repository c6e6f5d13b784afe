// What is asked of a bucket that differs from the state, and how often the state is read.
#include "page_index/redis/buckets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loop/loop.h"
#include "page_index/redis/client/scripted_redis.h"
#include "page_index/redis/scripts.h"

namespace quire::redis {
namespace {

class RedisBuckets : public testing::Test {
 protected:
  RedisBuckets() {
    server_.answers([this](const Words& words) -> std::optional<Scripted> {
      if (words[0] != "EVALSHA") return Scripted{"-ERR This instance has no cluster\r\n"};
      if (words[1] == state_scripts().state.sha1) return Scripted{state()};
      if (words[1] == state_scripts().change_phase.sha1) return Scripted{":1\r\n"};
      return Scripted{others_-- > 0 ? "$5\r\nother\r\n" : "*1\r\n:7\r\n"};
    });
  }

  std::string state() const {
    std::vector<std::string_view> fields{"epoch", "e",      "format", "1",     "life",
                                         life_,   "stream", "arn",    "phase", "following"};
    return "*3\r\n" + request(fields) + "*0\r\n*0\r\n";
  }
  Awaitable<Result<Reply>> lengths(unsigned bucket) {
    Call call{list_scripts().lengths, {buckets_.keys().bucket(bucket).products()}};
    return buckets_.call_bucket(bucket, std::move(call));
  }
  std::ptrdiff_t asked(const Script& script) const {
    const auto& all = server_.questions();
    return std::count_if(all.begin(), all.end(), [&](const Words& words) {
      return words.size() > 1 && words[1] == script.sha1;
    });
  }

  std::string life_ = "5";
  int others_ = 0;  // so many questions meet a bucket that differs
  OneLoop loop_;
  ScriptedRedis server_{loop_.context()};
  Buckets buckets_{loop_.context(), {.host = "127.0.0.1", .port = server_.port()}, Keys("t")};
};

// A server that stood still while its replica took over may answer twice before it learns of that.
TEST_F(RedisBuckets, AreAskedThreeTimesBeforeTheIndexIsLost) {
  others_ = 2;
  EXPECT_TRUE(loop_.run(lengths(1)));
  EXPECT_EQ(asked(state_scripts().change_phase), 0);
  others_ = 3;
  EXPECT_FALSE(loop_.run(lengths(1)));
  EXPECT_EQ(asked(state_scripts().change_phase), 1);
}

TEST_F(RedisBuckets, ShareAQuestionForTheState) {
  std::vector<Awaitable<Result<Reply>>> works;
  for (unsigned bucket = 0; bucket < bucket_count; ++bucket) works.push_back(lengths(bucket));
  for (const auto& reply : loop_.run(all(std::move(works)))) EXPECT_TRUE(reply);
  EXPECT_LT(asked(state_scripts().state), 2 * static_cast<int>(NodeClient::max_connections) + 2);
}

// A reset ends between two questions to a bucket: nothing is lost.
TEST_F(RedisBuckets, OfANewLifeAreNotLost) {
  EXPECT_TRUE(loop_.run(lengths(1)));
  others_ = 1 << 20;
  server_.answers([this, before = asked(list_scripts().lengths)](
                      const Words& words) -> std::optional<Scripted> {
    if (words[1] != state_scripts().state.sha1) return Scripted{"$5\r\nother\r\n"};
    if (asked(list_scripts().lengths) == before + 3) life_ = "6";
    return Scripted{state()};
  });
  auto found = loop_.run(lengths(1));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, being_reset().message);
  EXPECT_EQ(asked(state_scripts().change_phase), 0);
}

}  // namespace
}  // namespace quire::redis
