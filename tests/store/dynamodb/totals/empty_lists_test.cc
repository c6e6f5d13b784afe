// When counts may say that a list is empty.
#include "store/dynamodb/totals/totals_cache.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/statistics_world.h"

namespace quire::dynamodb {
namespace {

using std::chrono::seconds;

class EmptyListsTest : public testing::Test {
 protected:
  std::uint64_t now_ = 1'700'000'000'000;
  EmptyLists lists_{seconds(10), [this] { return now_; }};
};

TEST_F(EmptyListsTest, CountsMayBeAsOldAsTheAddressSays) {
  EXPECT_EQ(lists_.age_ms("42", now_), 0u);
  EXPECT_EQ(lists_.age_ms("42", now_ - 10'000), 10'000u);
  EXPECT_EQ(lists_.age_ms("42", now_ - 10'001), std::nullopt);
  EXPECT_EQ(lists_.age_ms("42", 0), std::nullopt) << "it is not known how old they are";
  EXPECT_EQ(lists_.age_ms("42", now_ + 1), std::nullopt) << "one of two clocks is wrong";
}

TEST_F(EmptyListsTest, ZeroAsksAlways) {
  EmptyLists never(seconds(0), [this] { return now_; });
  EXPECT_EQ(never.age_ms("42", now_), std::nullopt);
}

// The other clock may be ahead by as much as counts may be old.
TEST_F(EmptyListsTest, CountsThatMayMissAnOwnWriteSayNothing) {
  lists_.note_write("42");
  auto written = now_;
  for (std::uint64_t complete : {written - 10'000, written - 1, written, written + 10'000}) {
    now_ = std::max(written, complete);
    EXPECT_EQ(lists_.age_ms("42", complete), std::nullopt) << complete;
  }
  now_ = written + 15'000;
  EXPECT_EQ(lists_.age_ms("42", written + 10'001), 4'999u);
  EXPECT_EQ(lists_.age_ms("another", written + 9'000), 6'000u);
}

// Of a process that serves, beside another that follows the stream.
TEST(EmptyLists, ListsAreEmptyAsFarAsTheStreamWasFollowed) {
  StatisticsWorld world;
  auto address = world.access.address;
  address.skip_empty = seconds(60);
  TableAccess server(address, world.service.surroundings());
  auto counts = [&](const std::string& product) {
    return wait(TableView(server).counts(product)).value();
  };
  EXPECT_FALSE(counts("before").is_empty(cell("de", 1))) << "nothing follows the stream";
  world.service.pass(TotalsCache::kept);
  Mark mark{"2", false, system_ms() - 5'000};
  world.reset(following({{"s", Mark{"1", false, system_ms() - 9'000}}}));
  EXPECT_TRUE(
      world.applied(step_of("e", "s", Mark{"1", false, system_ms() - 9'000}, mark, {inserted(1)})));
  auto known = counts("42");
  EXPECT_GE(known.trusted_age_ms, 5'000u);
  EXPECT_LE(known.trusted_age_ms, 15'000u);
  EXPECT_TRUE(known.is_empty(cell("de", 5)));
  EXPECT_FALSE(known.is_empty(cell("en", 5)));
  EXPECT_FALSE(known.exact);
  server.empty_lists.note_write("42");
  EXPECT_FALSE(counts("42").is_empty(cell("de", 5)));
  EXPECT_FALSE(wait(TableView(world.access).counts("42")).value().is_empty(cell("de", 5)))
      << "without skip-empty";
}

// A shard's records may wait while Lambda is called for those of others.
TEST(EmptyLists, AllListsAreAskedWhereLambdaKeepsTheStatistics) {
  StatisticsWorld world;
  auto address = world.access.address;
  address.skip_empty = seconds(60);
  TableAccess server(address, world.service.surroundings());
  world.reset(following({{change::lambda_mark, Mark{"", false, system_ms() - 5'000}}}));
  TableView view(server);
  EXPECT_FALSE(wait(view.counts("42")).value().is_empty(cell("de", 5)));
  EXPECT_GT(wait(view.as_of()).value(), 0u);
}

// Where writes keep the statistics, these have all writes of Quire.
TEST(EmptyLists, ListsAreEmptyAsOfTheReadingWhereWritesCount) {
  StatisticsWorld world;
  auto address = world.access.address;
  address.statistics = StatisticsBy::write;
  address.skip_empty = seconds(5);
  TableAccess server(address, world.service.surroundings());
  auto counts = wait(TableView(server).counts("42")).value();
  EXPECT_GE(counts.trusted_age_ms, 1'000u) << "replicas lag";
  EXPECT_TRUE(counts.is_empty(cell("de", 5)));
  EXPECT_TRUE(counts.is_empty({}));
}

}  // namespace
}  // namespace quire::dynamodb
