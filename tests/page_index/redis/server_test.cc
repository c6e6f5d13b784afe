// The page index when its server stops, loses data, refuses or is busy.
#include <gtest/gtest.h>

#include "page_index/redis/raw_client.h"

namespace quire::redis {
namespace {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;

const Cell english_five = cell("en", 5);
const State following{Phase::following, "e", "arn", {{"s", {"1"}}}};

Change inserted(std::uint8_t number) {
  return {"42", Ulid::make(1'700'000'000'000, {number}), {}, english_five};
}

// A step of shard "s" of the epoch above, from one mark to the next, which adds a comment.
Result<bool> step(RedisIndex& index, std::optional<int> from, std::uint8_t number) {
  change::Step step;
  step.epoch = following.epoch;
  step.shard = "s";
  if (from) step.before = Mark{std::to_string(*from)};
  step.after.read_to = std::to_string(from.value_or(0) + 1);
  step.changes.push_back(inserted(number));
  return wait(index.apply(std::move(step)));
}

std::uint64_t length(RedisIndex& index) {
  Cell all{};
  return wait(index.ranks()->lengths("42", {&all, 1})).value().at(0);
}

template <class T>
std::string message(const Result<T>& result) {
  if (result) return "it worked";
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  return result.error().message;
}

TEST(RedisServers, ThatStopAreUnavailableUntilTheyAreBack) {
  RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  RedisIndex index(address_of(server), "t");
  ASSERT_TRUE(wait(index.reset(following)));
  ASSERT_TRUE(*step(index, 1, 1));
  for (int i = 0; i < 2; ++i) {
    server.stop();
    EXPECT_TRUE(message(wait(index.state())).starts_with("The page index does not answer ("));
    EXPECT_TRUE(message(step(index, 2, 2)).starts_with("The page index does not answer ("));
    server.start();
    auto state = eventually([&] { return wait(index.state()); });
    EXPECT_EQ(state->marks.at("s"), Mark{"2"});
    EXPECT_EQ(length(index), 1u);
  }
}

TEST(RedisServers, ThatLostTheirDataAreEmpty) {
  RedisServer server;
  RedisIndex index(address_of(server), "t");
  ASSERT_TRUE(wait(index.reset(following)));
  ASSERT_TRUE(*step(index, 1, 1));
  server.stop();
  server.start();
  auto state = eventually([&] { return wait(index.state()); });
  EXPECT_EQ(*state, State{});
  EXPECT_FALSE(*step(index, 2, 2));
  EXPECT_FALSE(*step(index, {}, 2));
  EXPECT_FALSE(*wait(index.change_phase("e", Phase::following, Phase::lost)));
  Cell all{};
  EXPECT_FALSE(wait(index.ranks()->lengths("42", {&all, 1}))) << "no list was emptied";
  ASSERT_TRUE(wait(index.reset(following)));
  EXPECT_EQ(*wait(index.state()), following);
  EXPECT_EQ(length(index), 0u);
}

TEST(RedisServers, ThatForgotTheScriptsGetThemAgain) {
  RedisServer server;
  RedisIndex index(address_of(server), "t");
  ASSERT_TRUE(wait(index.reset(following)));
  RawClient ask(server);
  for (std::uint8_t i = 1; i < 4; ++i) {
    ASSERT_TRUE(ask({"SCRIPT", "FLUSH"}));
    EXPECT_TRUE(*step(index, i, i));
    EXPECT_EQ(length(index), i);
  }
}

TEST(RedisServers, KeepIndexesOfOtherNamesApart) {
  RedisServer server;
  RedisIndex one(address_of(server), "t"), other(address_of(server), "t2"),
      odd(address_of(server), "t}:{*");
  for (auto* index : {&one, &other, &odd}) {
    ASSERT_TRUE(wait(index->reset(following)));
    ASSERT_TRUE(wait(index->put({inserted(1)})));
  }
  ASSERT_TRUE(wait(one.put({inserted(2)})));
  EXPECT_EQ(length(one), 2u);
  EXPECT_EQ(length(other), 1u);
  for (auto* index : {&odd, &one}) {
    ASSERT_TRUE(wait(index->reset({Phase::building, "new", "arn", {}})));
    EXPECT_EQ(length(*index), 0u);
    EXPECT_EQ(wait(other.state()).value(), following);
    EXPECT_EQ(length(other), 1u);
  }
}

TEST(RedisServers, KeepDatabasesApart) {
  RedisServer server;
  auto address = address_of(server);
  RedisIndex first(address, "t");
  address.database = 5;
  RedisIndex fifth(address, "t");
  ASSERT_TRUE(wait(fifth.put({inserted(1)})));
  EXPECT_EQ(length(fifth), 1u);
  EXPECT_EQ(length(first), 0u);
  address.database = 5000;
  RedisIndex none(address, "t");
  EXPECT_EQ(message(wait(none.state())),
            "The page index refused a request. Redis says: \"ERR DB index is out of "
            "range\".");
}

TEST(RedisServers, RequireTheRightPassword) {
  RedisServer server({"--requirepass", "s3cret", "--user", "quire", "on", ">other",
                      "~quire-pages:{t[/}]*", "+@read", "+@write", "+@scripting", "+@connection",
                      "+info"});
  auto told = [&](const std::string& user, const std::string& password) {
    auto address = address_of(server);
    address.user = user;
    address.password = password;
    RedisIndex index(address, "t");
    auto reset = wait(index.reset(following));
    if (!reset) return message(reset);
    EXPECT_TRUE(*step(index, 1, 1));
    EXPECT_EQ(length(index), 1u);
    return message(wait(index.languages("42")));
  };
  EXPECT_EQ(told("", "s3cret"), "it worked");
  EXPECT_EQ(told("quire", "other"), "it worked");
  EXPECT_EQ(told("", ""),
            "The page index wants a password: give it in its address, or in QUIRE_PAGES_PASSWORD.");
  for (auto [user, password] : {std::pair("", "other"), {"quire", "s3cret"}, {"nobody", "x"}}) {
    EXPECT_EQ(told(user, password), "The page index does not accept this user and password.")
        << user;
  }
}

TEST(RedisServers, MayGiveAUserTooFewRights) {
  RedisServer server({"--user", "quire", "on", ">s3cret", "~other:*", "+@all"});
  auto address = address_of(server);
  address.user = "quire";
  address.password = "s3cret";
  RedisIndex index(address, "t");
  EXPECT_TRUE(message(wait(index.state()))
                  .starts_with("The page index does not let this user do what Quire needs: see "
                               "docs/formats/pages-redis.md. Redis says: \"NOPERM"));
}

TEST(RedisServers, ThatEvictKeysAreNotUsed) {
  for (auto policy : {"allkeys-lru", "allkeys-random"}) {
    RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", policy});
    RedisIndex index(address_of(server), "t");
    EXPECT_EQ(message(wait(index.state())),
              "The page index would lose lists unnoticed when Redis's memory is full "
              "(maxmemory-policy " +
                  std::string(policy) +
                  "): set it to noeviction, or give the page index a Redis of its own.");
  }
  // These policies evict only keys that expire, or there is no limit of memory.
  for (auto [most, policy] : {std::pair("100mb", "volatile-lru"), {"0", "allkeys-lru"}}) {
    RedisServer server({"--maxmemory", most, "--maxmemory-policy", policy});
    RedisIndex index(address_of(server), "t");
    EXPECT_EQ(message(wait(index.reset(following))), "it worked");
  }
}

TEST(RedisServers, ThatAreFullRefuseWritesAndLoseNothing) {
  RedisServer server;
  RedisIndex index(address_of(server), "t");
  ASSERT_TRUE(wait(index.reset(following)));
  ASSERT_TRUE(*step(index, 1, 1));
  RawClient ask(server);
  ASSERT_TRUE(ask({"CONFIG", "SET", "maxmemory", "1mb"}));
  constexpr auto full = "The page index has no memory left: raise Redis's maxmemory, or make room.";
  EXPECT_EQ(message(step(index, 2, 2)), full);
  EXPECT_EQ(message(wait(index.put({inserted(3)}))), full);
  EXPECT_EQ(wait(index.state())->marks.at("s"), Mark{"2"});
  EXPECT_EQ(length(index), 1u);
  ASSERT_TRUE(ask({"CONFIG", "SET", "maxmemory", "0"}));
  EXPECT_TRUE(*step(index, 2, 2));
}

TEST(RedisServers, ThatAreReplicasAreReadOnly) {
  RedisServer primary({"--repl-diskless-sync-delay", "0"});
  RedisServer replica({"--replicaof", "127.0.0.1 " + primary.port()});
  RedisIndex writer(address_of(primary), "t"), reader(address_of(replica), "t");
  ASSERT_TRUE(wait(writer.reset(following)));
  auto state = eventually([&]() -> Result<State> {
    auto found = wait(reader.state());
    if (found && *found == State{}) return Error{ErrorCode::unavailable, "not yet"};
    return found;
  });
  ASSERT_EQ(*state, following);
  EXPECT_EQ(length(reader), 0u);
  EXPECT_EQ(message(wait(reader.put({inserted(1)}))),
            "The page index is a replica, which takes no writes: give the address of its primary.");
}

TEST(RedisServers, ThatAreBusyAreReported) {
  RedisServer server({"--busy-reply-threshold", "50"});
  RedisIndex index(address_of(server), "t");
  ASSERT_TRUE(wait(index.reset(following)));
  std::thread other([&] {
    RawClient ask(server);
    EXPECT_FALSE(ask({"EVAL", "while true do end", "0"})) << "the script was killed";
  });
  constexpr auto busy = "The page index is busy with another script. Try again in a moment.";
  auto told = eventually([&]() -> std::optional<std::string> {
    auto state = wait(index.state());
    if (state) return {};
    return message(state);
  });
  EXPECT_EQ(told, busy);
  RawClient ask(server);
  EXPECT_TRUE(ask({"SCRIPT", "KILL"}));
  other.join();
  EXPECT_EQ(*wait(index.state()), following);
}

TEST(RedisServers, MayHoldOtherDataUnderTheSameKeys) {
  RedisServer server;
  RedisIndex index(address_of(server), "t");
  RawClient ask(server);
  ASSERT_TRUE(ask({"SET", "quire-pages:{t}:state", "mine"}));
  EXPECT_EQ(message(wait(index.state())),
            "The page index has something else under its keys: give it a database of its own.");
  ASSERT_TRUE(ask({"DEL", "quire-pages:{t}:state"}));
  ASSERT_TRUE(wait(index.reset(following)));
  ASSERT_TRUE(ask({"HSET", "quire-pages:{t}:marks", "s", "odd"}));
  EXPECT_TRUE(
      message(wait(index.state())).starts_with("The state of the page index in Redis is not"));
}

}  // namespace
}  // namespace quire::redis
