// Steps, and readers and writers beside them.
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <thread>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

// Steps move a hundred comments between two lists. Each question sees all of them in one list.
TEST_P(OnEach, ReadersSeeWholeSteps) {
  auto index = open();
  std::vector<Change> all;
  for (std::uint32_t i = 0; i < 100; ++i) all.push_back(inserted(i));
  ASSERT_TRUE(wait(index->put(all)));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 30; ++i) {
      for (auto& change : all) change.to = i % 2 ? english : german;
      EXPECT_TRUE(wait(index->put(all)));
    }
    done = true;
  });
  auto reader = open(Access::read);
  auto ranks = reader->ranks();
  std::vector<Cell> lists{english, german};
  std::vector<RankRange> ranges{{english, 0, 200}, {german, 0, 200}};
  do {
    auto lengths = wait(ranks->lengths("42", lists)).value();
    EXPECT_EQ(lengths[0] + lengths[1], 100u);
    auto slices = wait(ranks->slices("42", ranges)).value();
    EXPECT_EQ(slices[0].size() + slices[1].size(), 100u);
    auto older = wait(ranks->ranks("42", lists, all[50].id)).value();
    EXPECT_EQ(older[0] + older[1], 50u);
    EXPECT_TRUE(older[0] == 0 || older[1] == 0);
  } while (!done && !HasFailure());
  writer.join();
}

// The state that a killed reset leaves.
TEST_P(OnEach, AKilledResetLeavesTheIndexEmptyUntilTheNext) {
  auto index = open();
  ASSERT_TRUE(wait(index->reset(following())));
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  Prepared(source_).execute("UPDATE " + source_.tables.state() +
                            " SET clearing = X'31', phase = X'656D707479', epoch = X''");
  EXPECT_EQ(wait(index->state()).value().phase, Phase::empty);
  Step step = step_of({}, {"1"}, {inserted(2)});
  step.epoch = "";
  EXPECT_FALSE(wait(index->apply(step)).value());
  EXPECT_FALSE(wait(index->put({inserted(2)})));
  EXPECT_FALSE(wait(index->change_phase("", Phase::empty, Phase::building)).value());
  ASSERT_TRUE(wait(index->reset(following())));
  EXPECT_EQ(length(*index), 0u);
  EXPECT_TRUE(wait(index->put({inserted(2)})));
  EXPECT_EQ(ids(*index), std::vector{inserted(2).id});
}

// More comments than one piece removes, in one product and in many.
TEST_P(OnEach, AResetOfManyCommentsWorksInPieces) {
  auto index = open();
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < 6'000; ++i) changes.push_back(inserted(i, "big"));
  for (std::uint32_t i = 0; i < 6'000; ++i) changes.push_back(inserted(i, std::to_string(i)));
  ASSERT_TRUE(wait(index->put(changes)));
  EXPECT_EQ(wait(index->products("", 10'000)).value().size(), 6'001u);
  ASSERT_TRUE(wait(index->reset(following())));
  EXPECT_EQ(wait(index->state()).value(), following());
  EXPECT_TRUE(wait(index->products("", 1)).value().empty());
  Prepared raw(source_);
  for (const auto& table : {source_.tables.comments(), source_.tables.counts()})
    EXPECT_EQ(std::get<0>(raw.rows<long long>("SELECT COUNT(*) FROM " + table).at(0)), 0) << table;
}

TEST_P(OnEach, OfTwoResetsAtOnceTheLaterWins) {
  auto first = open(), second = open();
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < 12'000; ++i) changes.push_back(inserted(i, std::to_string(i % 7)));
  ASSERT_TRUE(wait(first->put(changes)));
  State one = following(), two = following();
  one.epoch = "one";
  two.epoch = "two";
  std::optional<Status> other;
  std::thread thread([&] { other = wait(second->reset(two)); });
  auto mine = wait(first->reset(one));
  thread.join();
  auto state = wait(first->state()).value();
  ASSERT_TRUE(mine.ok() || other->ok());
  EXPECT_TRUE((mine.ok() && state == one) || (other->ok() && state == two));
  EXPECT_TRUE(wait(first->products("", 1)).value().empty());
}

// A second is the least: MariaDB counts waits for locks in whole seconds.
TEST_P(OnEach, AWriterThatWaitsTooLongGetsAnError) {
  SqlOptions hasty;
  hasty.timeouts.lock = std::chrono::seconds(1);
  auto index = open(Access::write, hasty);
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  Prepared raw(source_);
  {
    Transaction other(raw, raw.dialect().begin_to_write);
    raw.execute("UPDATE " + source_.tables.state() + " SET stream = X''");
    auto told = wait(index->put({inserted(2)}));
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error().code, ErrorCode::unavailable);
    EXPECT_EQ(length(*index), 1u) << "readers do not wait";
  }
  EXPECT_TRUE(wait(index->put({inserted(2)})));
}

TEST_P(OnEach, AStatementThatTakesTooLongIsGivenUp) {
  DataSource source = source_;
  source.timeouts.statement = std::chrono::seconds(1);
  Prepared connection(source);
  std::string endless = on("sqlite")
                            ? "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                              "SELECT COUNT(*) FROM n"
                        : on("mariadb") ? "SELECT SLEEP(600)"
                                        : "SELECT COUNT(*) FROM (SELECT pg_sleep(600)) AS s";
  try {
    connection.rows<long long>(endless);
    FAIL() << "the statement ended";
  } catch (const soci::soci_error& thrown) {
    EXPECT_EQ(failure_of(thrown).kind, FailureKind::slow) << thrown.what();
  }
  EXPECT_EQ(connection.rows<long long>("SELECT 1").size(), 1u) << "the connection goes on";
}

TEST_P(OnEach, TheQueueIsBounded) {
  SqlOptions narrow;
  narrow.connections = 1;
  narrow.max_requests = 3;
  auto index = open(Access::write, narrow);
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  Prepared raw(source_);
  std::optional<Transaction> other(std::in_place, raw, raw.dialect().begin_to_write);
  raw.execute("UPDATE " + source_.tables.state() + " SET stream = X''");
  boost::asio::io_context loop;
  int made = 0, refused = 0;
  for (int i = 0; i < 10; ++i) {
    boost::asio::co_spawn(
        loop,
        [&]() -> Awaitable<void> {
          std::vector<Change> changes(1, inserted(2));
          auto status = co_await index->put(changes);
          (status ? made : refused) += 1;
          if (refused == 7) other.reset();
        },
        boost::asio::detached);
  }
  loop.run();
  EXPECT_EQ(made, 3);
  EXPECT_EQ(refused, 7);
}

}  // namespace
}  // namespace quire::sql
