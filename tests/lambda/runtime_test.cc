// Events and answers over real sockets, to a runtime API in the same process.
#include "lambda/runtime.h"

#include <gtest/gtest.h>

#include "client/scripted_server.h"

namespace quire::lambda {
namespace {

using Then = ScriptedServer::Then;

class Function : public testing::Test {
 protected:
  Result<Invocation> next() { return loop_.run(runtime_.next()); }
  static std::string event(const std::string& id) {
    return success("{\"of\":\"" + id + "\"}", "Lambda-Runtime-Aws-Request-Id: " + id + "\r\n");
  }
  std::string message(const Status& status) { return status ? "done" : status.error().message; }

  OneLoop loop_;
  ScriptedServer server_{loop_.context()};
  Runtime runtime_{loop_.context(), runtime_origin("127.0.0.1:" + server_.port()).value()};
};

TEST_F(Function, TakesEventsAndAnswersThemOverOneConnection) {
  server_.answers(event("one"));
  server_.answers(success(""));
  server_.answers(success(""));
  auto invocation = next().value();
  EXPECT_EQ(invocation.id, "one");
  EXPECT_EQ(invocation.event, R"({"of":"one"})");
  EXPECT_EQ(message(loop_.run(runtime_.respond("one", "{}"))), "done");
  EXPECT_EQ(message(loop_.run(runtime_.fail("two", "no"))), "done");
  EXPECT_EQ(server_.accepted(), 1u);
  const auto& requests = server_.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].method_string(), "GET");
  EXPECT_EQ(requests[0].target(), "/2018-06-01/runtime/invocation/next");
  EXPECT_EQ(requests[0]["host"], "127.0.0.1:" + server_.port());
  EXPECT_EQ(requests[1].method_string(), "POST");
  EXPECT_EQ(requests[1].target(), "/2018-06-01/runtime/invocation/one/response");
  EXPECT_EQ(requests[1].body(), "{}");
  EXPECT_EQ(requests[2].target(), "/2018-06-01/runtime/invocation/two/error");
  EXPECT_EQ(requests[2].body(), R"({"errorMessage":"no","errorType":"Quire.Unavailable"})");
}

TEST_F(Function, AsksOnceMoreWhereAConnectionBreaks) {
  server_.answers("", Then::reset);
  server_.answers(event("one"));
  EXPECT_EQ(next().value().id, "one");
  server_.answers("", Then::reset);
  server_.answers("", Then::reset);
  auto broken = next();
  ASSERT_FALSE(broken);
  EXPECT_TRUE(broken.error().message.starts_with("The Lambda runtime API does not answer: "));
  EXPECT_EQ(server_.requests().size(), 4u);
}

TEST_F(Function, TellsOfAnAnswerThatIsRefused) {
  server_.answers("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(message(loop_.run(runtime_.respond("one", "{}"))),
            "The Lambda runtime API does not answer: status 413");
  server_.answers(success("an event without an id"));
  EXPECT_FALSE(next());
}

TEST(RuntimeOrigins, AreAHostAndAPort) {
  EXPECT_EQ(runtime_origin("127.0.0.1:9001").value().authority(), "127.0.0.1:9001");
  for (auto wrong : {"", "127.0.0.1", ":9001", "127.0.0.1:"})
    EXPECT_EQ(runtime_origin(wrong).error().code, ErrorCode::invalid_parameter) << wrong;
}

}  // namespace
}  // namespace quire::lambda
