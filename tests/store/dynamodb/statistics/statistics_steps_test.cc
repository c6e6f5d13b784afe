// Steps of the statistics that are long, repeated, or made by several workers: the counts equal a
// recount.

#include "store/dynamodb/statistics/statistics.h"

#include <gtest/gtest.h>

#include "base/rounds.h"
#include "store/dynamodb/statistics_world.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {
namespace {

class StatisticsSteps : public testing::Test, protected StatisticsWorld {};

// Steps of any size: after each transaction the counts are those up to the mark.
TEST_F(StatisticsSteps, ALongStepIsCutIntoPartsButNeverWithinARecord) {
  for (std::uint64_t seed : {1, 4, 8, 12}) {
    service.table.items.clear();
    access.totals.forget("p/0");
    Recorder recorder(seed);
    recorder.products = seed * seed;
    for (std::size_t i = 0; i < recorder.products; ++i)
      access.totals.forget("p/" + std::to_string(i));
    std::map<std::string, Mark> marks{{"s", {}}};
    std::vector<std::string> old;
    for (int i = 0; i < 7; ++i) marks[old.emplace_back("old" + std::to_string(i))] = {"", true};
    service.fault = {};
    reset(following(marks));
    auto changes = recorder.records(400);
    std::size_t transactions = 0;
    std::string last;
    auto look = [&] {
      Item key = mark_key(statistics_projection, "s");
      auto* mark = service.table.find(key);
      std::string place(text_of(*mark, "sequence").value_or("0"));
      PlainCells plain;
      for (const auto& change : changes) {
        if (std::stoull(change.sequence) <= std::stoull(place)) plain.apply({change});
      }
      EXPECT_TRUE(items() == items_of(plain)) << place;
      last = place;
    };
    service.fault = [&](const std::string& operation, const auto&) {
      if (operation == "TransactWriteItems") ++transactions, look();
      return Fault::none;
    };
    EXPECT_TRUE(applied(step_of("e", "s", Mark{}, {recorder.place(), true, 5}, changes, old)));
    service.fault = {};
    look();
    EXPECT_EQ(last, recorder.place());
    EXPECT_EQ(state().marks["s"], (Mark{recorder.place(), true, 5}));
    if (recorder.products > 50) {
      EXPECT_GT(transactions, 5u);
    }
  }
}

TEST_F(StatisticsSteps, ALostAnswerCountsNothingTwice) {
  using F = Fault;
  reset(following());
  faults("TransactWriteItems", {F::applied, F::applied, F::not_applied});
  EXPECT_TRUE(applied(step_of("e", "s", {}, {"1"}, {inserted(1)})));
  // So many lost answers that the step is given up; the state then tells whether it was made.
  faults("TransactWriteItems", std::vector<Fault>(4, F::applied));
  auto step = step_of("e", "s", Mark{"1"}, {"2"}, {inserted(2)});
  auto lost = apply(step);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
  EXPECT_EQ(state().marks["s"].read_to, "2");
  EXPECT_FALSE(applied(step));
  EXPECT_EQ(comments("42"), 2u);
}

TEST_F(StatisticsSteps, ConflictsAreOvercomeAndEndlessOnesAreAnError) {
  reset(following());
  faults("TransactWriteItems", std::vector<Fault>(9, Fault::conflict));
  EXPECT_TRUE(applied(step_of("e", "s", {}, {"1"}, {inserted(1)})));
  faults("TransactWriteItems", std::vector<Fault>(10'000, Fault::conflict));
  EXPECT_EQ(apply(step_of("e", "s", Mark{"1"}, {"2"}, {inserted(2)})).error().code,
            ErrorCode::unavailable);
  service.fault = {};
  EXPECT_TRUE(applied(step_of("e", "s", Mark{"1"}, {"2"}, {inserted(2)})));
  EXPECT_EQ(comments("42"), 2u);
}

// Another process has changed the counts, and the cached counts are old.
TEST_F(StatisticsSteps, OutdatedCountsAreReadAgain) {
  reset(following());
  ASSERT_TRUE(applied(step_of("e", "s", {}, {"1"}, {inserted(1)})));
  access.totals.put("42", {{any, {9, 9, 9, 9, 9}}});
  EXPECT_TRUE(applied(step_of("e", "s", Mark{"1"}, {"2"}, {inserted(2)})));
  EXPECT_EQ(comments("42"), 2u);
}

TEST_F(StatisticsSteps, RandomHistoriesWithFaultsCountAsARecountDoes) {
  for (std::uint64_t seed = 1; seed <= rounds(80u); ++seed) {
    StatisticsWorld world(seed % 2 ? 1 : 8);
    Recorder recorder(seed);
    world.reset(following());
    world.service.fault = [&](const std::string&, const auto&) {
      constexpr Fault faults[] = {Fault::not_applied, Fault::applied, Fault::conflict,
                                  Fault::throttled, Fault::refused};
      return recorder.random() % 8 == 0 ? faults[recorder.random() % 5] : Fault::none;
    };
    for (int step = 0; step < 25; ++step) {
      auto changes = recorder.records(recorder.random() % 30);
      Mark after{recorder.place(), step == 24, static_cast<std::uint64_t>(step)};
      world.follow("s", changes, after);
      EXPECT_TRUE(beside_marks(world.service.table) == items_of(recorder.plain, seed % 2 ? 1 : 8))
          << seed << " " << step;
    }
  }
}

// Two workers follow the same shard, as happens for a moment when one takes over from the other.
TEST_F(StatisticsSteps, TwoWorkersAtTheSameStepsMakeEachOnce) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    StatisticsWorld world;
    TableStatistics other(world.access);
    Recorder recorder(seed);
    world.reset(following());
    std::vector<Step> steps;
    std::optional<Mark> before;
    for (int i = 0; i < 20; ++i) {
      auto changes = recorder.records(1 + recorder.random() % 10);
      steps.push_back(step_of("e", "s", before, {recorder.place()}, changes));
      before = steps.back().after;
    }
    std::vector<int> made(steps.size());
    auto walk = [&](TableStatistics& mine) -> Awaitable<Status> {
      for (std::size_t i = 0; i < steps.size(); ++i) {
        auto applied = co_await mine.apply(steps[i]);
        if (!applied) co_return applied.error();
        made[i] += *applied;
      }
      co_return Done{};
    };
    auto both = [&]() -> Awaitable<std::vector<Status>> {
      std::vector<Awaitable<Status>> works;
      works.push_back(walk(world.statistics));
      works.push_back(walk(other));
      co_return co_await all(std::move(works));
    };
    for (const auto& ended : wait(both())) EXPECT_TRUE(ended) << ended.error().message;
    EXPECT_EQ(made, std::vector<int>(steps.size(), 1)) << seed;
    EXPECT_TRUE(beside_marks(world.service.table) == items_of(recorder.plain)) << seed;
  }
}

// Several shards are followed at once, and have comments of the same products.
TEST_F(StatisticsSteps, ConcurrentShardsChangeTheSameProducts) {
  reset(following());
  std::vector<Recorder> shards;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) shards.emplace_back(seed).products = 3;
  TableStatistics other(access);
  auto walk = [&](Recorder& recorder, std::string shard, TableStatistics& to) -> Awaitable<Status> {
    std::optional<Mark> before;
    for (int i = 0; i < 15; ++i) {
      auto changes = recorder.records(6);
      Mark after{recorder.place()};
      auto step = step_of("e", shard, before, after, changes);
      auto applied = co_await to.apply(step);
      // The steps refused each other for too long; no answer is lost here.
      for (int again = 0; !applied && again < 100; ++again) applied = co_await to.apply(step);
      if (!applied) co_return applied.error();
      EXPECT_TRUE(*applied);
      before = after;
    }
    co_return Done{};
  };
  auto together = [&]() -> Awaitable<std::vector<Status>> {
    std::vector<Awaitable<Status>> works;
    for (std::size_t i = 0; i < shards.size(); ++i)
      works.push_back(walk(shards[i], "s" + std::to_string(i), i % 2 ? other : statistics));
    co_return co_await all(std::move(works));
  };
  for (const auto& ended : wait(together())) EXPECT_TRUE(ended) << ended.error().message;
  PlainCells plain;
  for (const auto& recorder : shards) {
    for (const auto& [product, comments] : recorder.plain.products) {
      for (const auto& [id, at] : comments) plain.apply({{product, id, {}, at}});
    }
  }
  EXPECT_TRUE(items() == items_of(plain));
}

}  // namespace
}  // namespace quire::dynamodb
