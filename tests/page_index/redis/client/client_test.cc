// Requests over real sockets to a server in the same process.
#include "page_index/redis/client/cluster.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "page_index/redis/client/scripted_redis.h"

namespace quire::redis {
namespace {

using Then = Scripted::Then;

constexpr Milliseconds long_time{3'600'000};  // longer than a test may take

// The reply, never a refusal.
Awaitable<Result<Reply>> ask(NodeClient& client, std::string request, Milliseconds timeout) {
  auto reply = co_await client.answer(std::move(request), Deadline::clock::now() + timeout, {});
  co_return accepted(std::move(reply));
}

class RedisClient : public testing::Test {
 protected:
  RedisAddress address() const { return {.host = "127.0.0.1", .port = server_.port()}; }
  static std::string echo(const std::string& word) {
    std::vector<std::string_view> words{"ECHO", word};
    return request(words);
  }
  // The reply, or the message of the error.
  static std::string told(const Result<Reply>& reply) {
    if (reply) return reply->bytes;
    EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
    return reply.error().message;
  }
  Awaitable<Result<Reply>> asking(const std::string& word, Milliseconds timeout) {
    return redis::ask(client_, echo(word), timeout);
  }
  std::string ask(const std::string& word, Milliseconds timeout = long_time) {
    return told(loop_.run(asking(word, timeout)));
  }
  std::vector<std::string> ask_at_once(std::size_t count, Milliseconds timeout = long_time) {
    std::vector<Awaitable<Result<Reply>>> works;
    for (std::size_t i = 0; i < count; ++i) works.push_back(asking(std::to_string(i), timeout));
    std::vector<std::string> out;
    for (const auto& reply : loop_.run(all(std::move(works)))) out.push_back(told(reply));
    return out;
  }

  OneLoop loop_;
  ScriptedRedis server_{loop_.context()};
  NodeClient client_{loop_.context(), address()};
};

TEST_F(RedisClient, UsesOneConnectionForOneRequestAtATime) {
  for (auto word : {"a", "b", "c"}) EXPECT_EQ(ask(word), word);
  EXPECT_EQ(server_.accepted(), 1u);
  EXPECT_EQ(server_.questions().at(1), (Words{"ECHO", "b"}));
}

TEST_F(RedisClient, SendsManyRequestsOverFewConnections) {
  server_.hold(100);
  auto answers = ask_at_once(100);
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i], std::to_string(i));
  EXPECT_EQ(server_.accepted(), NodeClient::max_connections);
}

TEST_F(RedisClient, LimitsTheNumberOfRequests) {
  constexpr auto most = NodeClient::max_unanswered + NodeClient::max_waiting;
  server_.hold(NodeClient::max_unanswered);
  auto answers = ask_at_once(most + 2);
  for (std::size_t i = 0; i < most; ++i) ASSERT_EQ(answers[i], std::to_string(i));
  for (std::size_t i = most; i < most + 2; ++i) {
    EXPECT_EQ(answers[i],
              "The page index does not answer (too many requests wait for it). Try again in a "
              "moment.");
  }
}

TEST_F(RedisClient, ReportsABrokenConnectionAndOpensAnother) {
  for (auto then : {Then::close, Then::reset}) {
    for (std::string part : {"", "+a", "$10\r\nabc", "*2\r\n:1\r\n"}) {
      server_.answers([&](const Words&) { return Scripted{part, then}; });
      auto answers = ask_at_once(10);
      for (const auto& answer : answers)
        EXPECT_TRUE(answer.starts_with("The page index does not answer (")) << part << answer;
    }
  }
  server_.answers([](const Words& words) { return Scripted{"+" + words[1] + "\r\n"}; });
  EXPECT_EQ(ask("b"), "b");
}

TEST_F(RedisClient, ReplacesAnIdleConnectionThatTheServerClosed) {
  server_.answers([](const Words&) { return Scripted{"+once\r\n", Then::close}; });
  for (int i = 0; i < 5; ++i) {
    std::string answer;  // the client may not have noticed the end yet
    for (int attempt = 0; attempt < 100 && answer != "once"; ++attempt) answer = ask("a");
    EXPECT_EQ(answer, "once");
  }
  EXPECT_EQ(server_.accepted(), 5u);
}

TEST_F(RedisClient, ReportsAServerThatIsNoRedis) {
  for (std::string odd : {"HTTP/1.1 400 Bad Request\r\n\r\n", "?\r\n", "*1\r\n$x\r\n"}) {
    server_.answers([&](const Words&) { return Scripted{odd}; });
    EXPECT_EQ(ask("a"),
              "The page index does not answer (this is not Redis's protocol). Try again in a "
              "moment.");
  }
}

TEST_F(RedisClient, RefusesAReplyThatIsTooLarge) {
  std::string odd = "$2000000000\r\n" + std::string(Replies::max_bytes, 'x');
  server_.answers([&](const Words&) { return Scripted{odd}; });
  EXPECT_EQ(ask("a"),
            "The page index does not answer (the answer is too large). Try again in a moment.");
}

TEST_F(RedisClient, IgnoresAReplyWithoutARequest) {
  server_.answers([](const Words& words) {
    return Scripted{"+" + words.back() + "\r\n+" + words.back() + "\r\n"};
  });
  for (auto word : {"a", "b", "c"}) EXPECT_EQ(ask(word), word);
  EXPECT_EQ(server_.accepted(), 3u);
}

// With a connection that opens in time, and with one that does not.
void expect_late(const std::string& answer) {
  EXPECT_TRUE(answer.starts_with("The page index does not answer (")) << answer;
  EXPECT_NE(answer.find("it takes too long)"), std::string::npos) << answer;
}

TEST_F(RedisClient, WaitsUntilTheDeadline) {
  EXPECT_EQ(ask("open"), "open");
  server_.answers([](const Words&) { return std::nullopt; });
  expect_late(ask("a", Milliseconds(20)));
  server_.answers([](const Words& words) { return Scripted{"+" + words.back() + "\r\n"}; });
  EXPECT_EQ(ask("b"), "b");
  EXPECT_EQ(server_.accepted(), 2u) << "a silent connection is closed";
}

TEST_F(RedisClient, WaitsForTheHandshakeUntilTheDeadline) {
  server_.info("");
  expect_late(ask("a", Milliseconds(20)));
  EXPECT_TRUE(server_.questions().empty());
}

// A late reply must not go to the next request.
TEST_F(RedisClient, MatchesRepliesToRequestsAfterATimeout) {
  constexpr auto busy = NodeClient::max_connections;
  server_.hold(1000);
  std::vector<Awaitable<Result<Reply>>> works;
  for (std::size_t i = 0; i < busy; ++i)
    works.push_back(asking("early " + std::to_string(i), long_time));
  for (std::size_t i = 0; i < busy; ++i) works.push_back(asking("late", Milliseconds(20)));
  auto then = [this]() -> Awaitable<Result<Reply>> {
    boost::asio::steady_timer timer(loop_.context(), Milliseconds(100));
    co_await timer.async_wait(boost::asio::use_awaitable);
    server_.release();
    auto reply = co_await asking("then", long_time);
    co_return reply;
  };
  works.push_back(then());
  auto replies = loop_.run(all(std::move(works)));
  for (std::size_t i = 0; i < busy; ++i) EXPECT_EQ(told(replies[i]), "early " + std::to_string(i));
  for (std::size_t i = busy; i < 2 * busy; ++i)
    EXPECT_NE(told(replies[i]).find("it takes too long"), std::string::npos);
  EXPECT_EQ(told(replies.back()), "then");
  EXPECT_EQ(server_.accepted(), busy) << "slow replies to other requests do not close a connection";
}

TEST_F(RedisClient, PausesAfterAFailedConnection) {
  std::string memory = "# Memory\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n";
  server_.info("$" + std::to_string(memory.size()) + "\r\n" + memory + "\r\n");
  constexpr std::size_t asked = 1000;
  for (std::size_t i = 0; i < asked; ++i)
    ASSERT_EQ(ask("a").substr(0, 31), "The page index would lose lists");
  EXPECT_LT(server_.accepted(), asked / 2);
  EXPECT_TRUE(server_.questions().empty());
}

// The server refuses the first request and closes.
TEST_F(RedisClient, ReportsARefusedConnectionAndPauses) {
  for (auto [words, told] :
       {std::pair{"-ERR max number of clients reached\r\n", "maxclients"},
        std::pair{"-DENIED Redis is running in protected mode\r\n", "protected-mode"}}) {
    server_.info(words);
    constexpr std::size_t asked = 100;
    auto before = server_.accepted();
    NodeClient client(loop_.context(), address());  // the pause is the client's
    for (std::size_t i = 0; i < asked; ++i) {
      auto answer = this->told(loop_.run(redis::ask(client, echo("a"), long_time)));
      ASSERT_NE(answer.find(told), std::string::npos) << answer;
    }
    EXPECT_LT(server_.accepted() - before, asked / 2);
  }
}

TEST_F(RedisClient, SendsUserPasswordAndDatabase) {
  server_.answers([](const Words&) { return Scripted{"+OK\r\n"}; });
  auto address = this->address();
  address.password = "secret";
  NodeClient alone(loop_.context(), address);
  EXPECT_EQ(told(loop_.run(redis::ask(alone, echo("a"), long_time))), "OK");
  address.user = "quire";
  address.database = 3;
  NodeClient named(loop_.context(), address);
  EXPECT_EQ(told(loop_.run(redis::ask(named, echo("b"), long_time))), "OK");
  EXPECT_EQ(server_.questions(), (std::vector<Words>{{"AUTH", "secret"},
                                                     {"ECHO", "a"},
                                                     {"AUTH", "quire", "secret"},
                                                     {"SELECT", "3"},
                                                     {"ECHO", "b"}}));
}

TEST_F(RedisClient, NeverShowsThePassword) {
  for (std::string refusal : {"ERR unknown command 'AUTH', with args beginning with: 'secret'",
                              "WRONGPASS invalid username-password pair or user is disabled.",
                              "ERR AUTH secret called without any password configured"}) {
    server_.answers([&](const Words&) { return Scripted{"-" + refusal + "\r\n"}; });
    auto address = this->address();
    address.password = "secret";
    NodeClient client(loop_.context(), address);
    EXPECT_EQ(told(loop_.run(redis::ask(client, echo("a"), long_time))),
              "The page index does not accept this user and password.");
  }
  for (const auto& words : server_.questions()) EXPECT_EQ(words[0], "AUTH");
}

TEST_F(RedisClient, SendsTheTextOfAScriptThatRedisDoesNotKnow) {
  Script script("return KEYS[1]");
  EXPECT_EQ(script.sha1, "4a2267357833227dd98abdedb8cf24b15a986445");
  server_.answers([](const Words& words) {
    return Scripted{words[0] == "EVAL" ? "+" + words[3] + "\r\n" : "-NOSCRIPT No matching\r\n"};
  });
  Call call{script, {"k"}, {"a", "b"}};
  auto deadline = Deadline::clock::now() + call.timeout();
  EXPECT_EQ(told(loop_.run(client_.answer(call, deadline, {}))), "k");
  EXPECT_EQ(server_.questions(),
            (std::vector<Words>{{"EVALSHA", script.sha1, "1", "k", "a", "b"},
                                {"EVAL", "return KEYS[1]", "1", "k", "a", "b"}}));
}

TEST_F(RedisClient, ExplainsRefusals) {
  auto told_of = [&](std::string words) {
    server_.answers([&](const Words&) { return Scripted{"-" + words + "\r\n"}; });
    return ask("a");
  };
  EXPECT_EQ(told_of("LOADING Redis is loading the dataset in memory"),
            "The page index loads its data after a start. Try again in a moment.");
  EXPECT_EQ(told_of("NOAUTH Authentication required."),
            "The page index wants a password: give it in its address, or in QUIRE_PAGES_PASSWORD.");
  auto memory = "The page index has no memory left: raise Redis's maxmemory, or make room.";
  EXPECT_EQ(told_of("OOM command not allowed when used memory > 'maxmemory'."), memory);
  EXPECT_EQ(told_of("ERR Error running script (call to f_1): @user_script:1: @user_script: 1: "
                    "-OOM command not allowed when used memory > 'maxmemory'."),
            memory);
  EXPECT_EQ(told_of("MOVED 3999 127.0.0.1:6381"),
            "The page index is in a cluster whose nodes this user may not ask for: allow CLUSTER "
            "SLOTS. Redis says: \"MOVED 3999 127.0.0.1:6381\".");
  EXPECT_EQ(told_of("ERR something \x01 new"),
            "The page index refused a request. Redis says: \"ERR something ? new\".");
  EXPECT_LT(told_of("ERR " + std::string(100'000, 'x')).size(), 400u);
  EXPECT_EQ(server_.accepted(), 1u) << "a refusal does not break a connection";
}

TEST_F(RedisClient, NamesAnUnreachableAddressWithoutPassword) {
  auto nowhere = address();
  nowhere.port = "1";
  nowhere.user = "quire";
  nowhere.password = "hidden";
  NodeClient alone(loop_.context(), nowhere);
  auto why = told(loop_.run(redis::ask(alone, echo("a"), long_time)));
  EXPECT_TRUE(why.starts_with("The page index does not answer (redis://127.0.0.1:1: ")) << why;
  EXPECT_EQ(why.find("hidden"), std::string::npos) << why;
}

}  // namespace
}  // namespace quire::redis
