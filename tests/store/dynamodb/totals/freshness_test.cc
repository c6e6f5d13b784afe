// Statistics that follow the stream name the time up to which they are complete, and never a later
// one.
#include "store/dynamodb/totals/marks.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/statistics_world.h"

namespace quire::dynamodb {
namespace {

// One process follows the stream, another serves.
class FreshnessTest : public testing::Test, protected StatisticsWorld {
 protected:
  std::unique_ptr<TableView> view() { return std::make_unique<TableView>(server_); }
  static std::uint64_t count(TableView& view) { return wait(view.counts("42")).value().total(); }
  static std::uint64_t as_of(TableView& view) { return wait(view.as_of()).value().value(); }

  TableAccess server_{access.address, service.surroundings()};
  const std::uint64_t now_ = system_ms();
};

TEST_F(FreshnessTest, CachedCountsKeepTheirTime) {
  Mark old{"1", false, now_ - 60'000}, young{"2", false, now_ - 5'000};
  reset(following({{"s", old}}));
  auto before = view();
  EXPECT_EQ(count(*before), 0u);
  EXPECT_EQ(as_of(*before), old.as_of_ms);
  EXPECT_TRUE(apply(step_of("e", "s", old, young, {inserted(1)})).value());
  auto kept = view();
  EXPECT_EQ(count(*kept), 0u);
  EXPECT_EQ(as_of(*kept), old.as_of_ms);
  service.pass(TotalsCache::kept);
  auto after = view();
  EXPECT_EQ(count(*after), 1u);
  EXPECT_EQ(as_of(*after), young.as_of_ms);
}

TEST_F(FreshnessTest, TheTimeIsReadOnceInAFewSeconds) {
  Mark mark{"1", false, now_ - 5'000};
  reset(following({{"s", mark}}));
  EXPECT_EQ(as_of(*view()), mark.as_of_ms);
  auto asked = service.asked["Query"];
  for (int i = 0; i < 10; ++i) (void)as_of(*view());
  EXPECT_EQ(service.asked["Query"], asked);
}

// A read may see a replica that is a few seconds behind.
TEST_F(FreshnessTest, ThePresentIsNotPromised) {
  reset(following({{"s", Mark{"1", false, now_ + 3'600'000}}}));
  auto promised = as_of(*view());
  EXPECT_LE(promised, system_ms() - 3000);
  EXPECT_GE(promised, now_ - 3000);
}

TEST_F(FreshnessTest, WithoutAMarkNothingIsPromised) {
  EXPECT_EQ(as_of(*view()), 0u);
}

TEST_F(FreshnessTest, AnUnknownTimeIsAnError) {
  Mark mark{"1", false, now_ - 5'000};
  reset(following({{"s", mark}}));
  for (auto& [key, item] : service.table.items) {
    if (key.second == "SHARD#s") item.erase("as_of");
  }
  auto counted = view();
  EXPECT_EQ(count(*counted), 0u) << "pages go on";
  EXPECT_EQ(wait(counted->as_of()).error().code, ErrorCode::unavailable);
  EXPECT_EQ(wait(view()->as_of()).error().code, ErrorCode::damaged);
}

// A table that was restored has the marks of the table before, whose stream is another one.
TEST_F(FreshnessTest, StatisticsOfAnotherStreamHaveNoTime) {
  Mark mark{"1", false, now_ - 5'000};
  reset(following({{"s", mark}}));
  service.stream_arn = "another";
  EXPECT_EQ(as_of(*view()), 0u);
  service.stream_arn = "arn";
  service.pass(std::chrono::seconds(3));
  EXPECT_EQ(as_of(*view()), 0u) << "the table is described once in five seconds";
  EXPECT_EQ(service.asked["DescribeTable"], 1u);
  service.pass(std::chrono::seconds(6));
  EXPECT_EQ(as_of(*view()), mark.as_of_ms);
  service.pass(std::chrono::seconds(60));
  EXPECT_EQ(as_of(*view()), mark.as_of_ms);
  EXPECT_EQ(service.asked["DescribeTable"], 2u) << "what fits is not asked for again";
}

TEST_F(FreshnessTest, WhereTheTableCannotBeDescribedTheTimeHolds) {
  Mark mark{"1", false, now_ - 5'000};
  reset(following({{"s", mark}}));
  service.fault = [](const std::string& operation, const auto&) {
    return operation == "DescribeTable" ? Fault::refused : Fault::none;
  };
  EXPECT_EQ(as_of(*view()), mark.as_of_ms);
}

}  // namespace
}  // namespace quire::dynamodb
