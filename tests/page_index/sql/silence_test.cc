// A server that stands still: it takes connections and bytes, and answers none.
#include <algorithm>
#include <future>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

constexpr std::size_t connections = 2;

// The least: the limits are whole seconds, as the clients of the databases have them.
SqlOptions hasty() {
  constexpr std::chrono::seconds second{1};
  return {.connections = connections, .timeouts = {second, second, second, second}};
}

// Asks before each request whether its connection is alive.
SqlOptions doubtful() {
  auto options = hasty();
  options.timeouts.idle = std::chrono::seconds(0);
  return options;
}

// The answers to requests that are made together.
std::vector<Status> ask(SqlIndex& index, std::size_t requests) {
  std::vector<std::future<Status>> asked;
  for (std::size_t i = 0; i < requests; ++i) {
    asked.push_back(std::async(std::launch::async, [&]() -> Status {
      auto state = wait(index.state());
      if (!state) return state.error();
      return Done{};
    }));
  }
  std::vector<Status> answers;
  for (auto& each : asked) answers.push_back(each.get());
  return answers;
}

// Whether requests that are made together are answered. On a busy machine a second, the limit of
// each, may pass before the server has its turn; then they are made again.
bool answers(SqlIndex& index) {
  for (int tries = 0; tries < 10; ++tries) {
    auto all = ask(index, connections);
    if (std::all_of(all.begin(), all.end(), [](const Status& each) { return each.ok(); }))
      return true;
  }
  return false;
}

// Without limits of the client, this test would not end.
template <class Running>
void expect_an_end() {
  Running server;
  SqlIndex index(address_of(server), "t", Access::write, hasty());
  SqlIndex other(address_of(server), "t", Access::write, doubtful());
  ASSERT_TRUE(wait(index.reset(following())));
  ASSERT_TRUE(answers(index));
  ASSERT_TRUE(answers(other));
  {
    auto pause = server.pause();
    for (const auto& answer : ask(index, 3 * connections)) {
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
      const auto& words = answer.error().message;
      bool told =
          words.find("cannot be reached") != words.npos || words.find("is too busy") != words.npos;
      EXPECT_TRUE(told) << words;
    }
    EXPECT_FALSE(wait(index.apply(step_of({}, {"1"}, {inserted(1)}))));
    for (const auto& answer : ask(other, connections)) EXPECT_FALSE(answer);
  }
  EXPECT_TRUE(wait(index.apply(step_of({}, {"1"}, {inserted(1)}))).value());
  EXPECT_TRUE(answers(index));
  EXPECT_TRUE(answers(other));
  EXPECT_EQ(length(index), 1u);
}

TEST(SqlSilence, OfMariadbEndsRequestsAndKeepsNoThread) {
  expect_an_end<MariaDbServer>();
}

TEST(SqlSilence, OfPostgresqlEndsRequestsAndKeepsNoThread) {
  expect_an_end<quire::PostgresqlServer>();
}

}  // namespace
}  // namespace quire::sql
