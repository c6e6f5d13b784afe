// Names of products and languages that are not as Quire writes them.
#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <thread>

#include "loop/loop.h"
#include "page_index/redis/client/scripted_redis.h"
#include "page_index/redis/index.h"

namespace quire::redis {
namespace {

TEST(RedisNames, ThatAreUnknownAreAnUnexpectedAnswer) {
  boost::asio::io_context context;
  ScriptedRedis server(context);
  std::string names;
  server.answers([&](const Words& words) {
    if (words[0] == "CLUSTER")
      return Scripted{"-ERR This instance has cluster support disabled\r\n"};
    return Scripted{words.back() == "quire-pages:{t}:counts" ? "*3\r\n*0\r\n*0\r\n*0\r\n" : names};
  });
  auto end = boost::asio::make_work_guard(context);
  std::thread serving([&] { context.run(); });
  {
    RedisIndex index({.host = "127.0.0.1", .port = server.port()}, "t");
    for (std::string odd : {"*1\r\n$1\r\nx\r\n", "*1\r\n$15\r\nPRODUCT#43/x/en\r\n", "*1\r\n:7\r\n",
                            "*1\r\n*0\r\n"}) {
      names = odd;
      auto languages = wait(index.languages("42"));
      EXPECT_FALSE(languages) << odd;
    }
    for (std::string odd : {"*1\r\n:7\r\n", ":7\r\n"}) {
      names = odd;
      EXPECT_FALSE(wait(index.products("", 10))) << odd;
    }
  }
  context.stop();
  serving.join();
}

}  // namespace
}  // namespace quire::redis
