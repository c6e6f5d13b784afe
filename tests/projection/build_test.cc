// Building statistics and page indexes, whatever happens meanwhile.
#include "projection/build.h"

#include <gtest/gtest.h>

#include "projection/follower.h"
#include "projection/lambda.h"
#include "table_world.h"

namespace quire {
namespace {

using projection::Built;

TEST(Build, StatisticsAreRecountedAndFollowTheStream) {
  TableWorld world;
  world.statistics.totals["gone"][any][0] = 3;
  world.statistics.totals["42"][any][0] = 1000;
  EXPECT_FALSE(world.build(world.of_statistics).value().was_there);
  EXPECT_TRUE(world.statistics_right());
  EXPECT_EQ(world.statistics.now.phase, Phase::following);
  EXPECT_EQ(world.statistics.now.stream, world.stream.arn);
  for (const auto& [shard, mark] : world.statistics.now.marks)
    EXPECT_FALSE(projection::is_segment(shard)) << shard;
  EXPECT_EQ(world.indexes_made, 1u);
  EXPECT_EQ(world.index.calls.all(), 0u) << "the page index is another matter";
  world.write(60);
  ASSERT_TRUE(world.build(world.of_index));
  world.expect_followed_up();
}

TEST(Build, APageIndexIsBuiltInPlace) {
  TableWorld world;
  ASSERT_TRUE(world.build(world.of_index));
  EXPECT_TRUE(world.index_right());
  EXPECT_EQ(world.indexes_made, 0u);
  EXPECT_EQ(world.statistics.calls.all(), 0u);
}

TEST(Build, ATargetThatFollowsIsLeftAloneUnlessAskedFor) {
  TableWorld world;
  world.build_all();
  for (const auto& each : world.table.followed) {
    auto epoch = wait(each.target->state()).value().epoch;
    EXPECT_TRUE(world.build(each).value().was_there);
    EXPECT_EQ(wait(each.target->state()).value().epoch, epoch);
    auto again = TableWorld::options();
    again.again = true;
    EXPECT_FALSE(world.build(each, again).value().was_there);
    EXPECT_NE(wait(each.target->state()).value().epoch, epoch);
  }
  world.expect_followed_up();
}

TEST(Build, BothAreBuiltAnewForAnotherStreamThoughNoWorkerHasSeenIt) {
  TableWorld world;
  world.build_all();
  world.stream.recreate();
  for (const auto& each : world.table.followed) EXPECT_FALSE(world.build(each).value().was_there);
  world.write(20);
  world.expect_followed_up();
}

// The facets of a table that an index holds are those of its last build.
TEST(Build, AnIndexIsBuiltAnewForFacetsThatItDoesNotHold) {
  Schema one({{2, {{"verified", FacetType::flag}}}});
  Schema two({{2, {{"verified", FacetType::flag}}}, {3, {{"votes", FacetType::number}}}});
  for (bool holds : {true, false}) {
    TableWorld world;
    world.index.with_facets = holds;
    world.stream.facets = one;
    world.build_all();
    EXPECT_EQ(world.index.now.schema, holds ? one : Schema());
    EXPECT_TRUE(world.build(world.of_index).value().was_there);
    world.stream.facets = two;
    EXPECT_EQ(world.build(world.of_index).value().was_there, !holds);
    EXPECT_TRUE(world.build(world.of_statistics).value().was_there) << "they know no facets";
    EXPECT_EQ(world.index.now.schema, holds ? two : Schema());
    EXPECT_TRUE(world.build(world.of_index).value().was_there);
    world.stream.facets = one;
    EXPECT_TRUE(world.build(world.of_index).value().was_there) << "a facet was dropped";
    world.stream.facets = Schema({{4, {{"verified", FacetType::flag}}}});
    EXPECT_EQ(world.build(world.of_index).value().was_there, !holds) << "and declared again";
    world.expect_followed_up();
  }
}

TEST(Build, AnUnfinishedBuildWithOtherFacetsBeginsAnew) {
  TableWorld world;
  world.index.with_facets = true;
  for (bool other : {false, true}) {
    std::size_t steps = 0;
    world.index.calls.fault = [&](const std::string& name) {
      return name == "apply" && ++steps > 3 ? Fault::before : Fault::none;
    };
    auto again = TableWorld::options();
    again.again = true;
    EXPECT_FALSE(world.build(world.of_index, again));
    world.index.calls.fault = {};
    auto resets = world.index.resets;
    if (other) world.stream.facets = Schema({{2, {{"verified", FacetType::flag}}}});
    ASSERT_TRUE(world.build(world.of_index));
    EXPECT_EQ(world.index.resets - resets, other ? 1u : 0u);
    EXPECT_EQ(world.index.now.schema, world.stream.facets);
  }
}

// At the k-th call of any port the process is gone; then it is called again.
TEST(Build, KilledAtAnyCallItIsBuiltByTheNext) {
  std::size_t at = 1;
  for (bool killed = true; killed; at += 1 + at / 3) {
    TableWorld world;
    std::size_t asked = 0;
    world.on_calls([&](const std::string&) {
      ++asked;
      if (asked % 5 == 0) world.writer.wander();
      return Fault::none;
    });
    auto& member = world.crew.run([](TableWorld& world) -> Awaitable<void> {
      auto options = TableWorld::options();
      projection::Progress progress;
      EXPECT_TRUE(co_await projection::build(world.table, world.of_statistics, world.make_index,
                                             options, progress));
    }(world));
    ASSERT_TRUE(world.crew.until([&] { return member.ended || asked >= at; }));
    killed = !member.ended;
    Crew::kill(member);
    world.on_calls({});
    world.build_all();
    EXPECT_EQ(world.statistics.now.phase, Phase::following) << "killed at call " << at;
    world.expect_followed_up();
  }
  EXPECT_GT(at, 100u) << "or it was killed nowhere";
}

TEST(Build, WorkersApplyNothingTwiceMeanwhile) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TableWorld world(seed);
    world.build_all();
    world.hire();
    world.stream.calls.fault = [&, writes = 0](const std::string& name) mutable {
      if ((name == "scan" || name == "read") && ++writes < 200) world.writer.wander();
      return Fault::none;
    };
    auto& member = world.crew.run([](TableWorld& world) -> Awaitable<void> {
      auto options = TableWorld::options();
      options.again = true;
      projection::Progress progress;
      EXPECT_TRUE(co_await projection::build(world.table, world.of_statistics, world.make_index,
                                             options, progress));
    }(world));
    ASSERT_TRUE(world.crew.until([&] { return member.ended; }));
    world.on_calls({});
    EXPECT_TRUE(world.crew.until([&] { return world.statistics_right(); }));
    world.crew.spend(Milliseconds(20));
    EXPECT_TRUE(world.statistics_right());
    ASSERT_TRUE(world.crew.stop());
  }
}

TEST(Build, ARecountOutlivesAFailureOfTheTable) {
  TableWorld world;
  std::size_t puts = 0;
  world.statistics.calls.fault = [&](const std::string& name) {
    return name == "put" && ++puts < 4 ? Fault::before : Fault::none;
  };
  ASSERT_TRUE(world.build(world.of_statistics));
  EXPECT_EQ(puts, 4u);
  EXPECT_TRUE(world.statistics_right());
}

TEST(Build, AFailureThatStaysEndsIt) {
  for (const std::string call : {"put", "reset"}) {
    TableWorld world;
    world.statistics.calls.fault = [&](const std::string& name) {
      return name == call ? Fault::before : Fault::none;
    };
    auto built = world.build(world.of_statistics);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().message, down().message);
    EXPECT_NE(world.statistics.now.phase, Phase::following);
    world.on_calls({});
    world.build_all();
    world.expect_followed_up();
  }
}

TEST(Build, WithoutRoomForTheRecountNothingIsTouched) {
  TableWorld world;
  world.make_index = []() -> Result<std::unique_ptr<PageIndex>> { return down(); };
  EXPECT_FALSE(world.build(world.of_statistics));
  EXPECT_EQ(world.statistics.now, State{});
}

// Lambda gives every record that the stream has, be it counted or not.
TEST(Build, AHandOverToLambdaCountsEachChangeOnce) {
  TableWorld world;
  world.build_all(true);
  EXPECT_TRUE(world.statistics_right());
  for (const State& state : {world.statistics.now, world.index.now}) {
    EXPECT_EQ(state.phase, Phase::following);
    EXPECT_TRUE(state.marks.contains(change::lambda_mark));
  }
  EXPECT_EQ(world.statistics.now.marks.size(), 1u);
  world.write(60);
  projection::Batch batch{world.stream.written, true, system_ms(),
                          std::chrono::steady_clock::time_point::max()};
  EXPECT_FALSE(wait(projection::apply_batch(world.table, batch)).value());
  EXPECT_TRUE(world.statistics_right());
  EXPECT_TRUE(world.index_right());
}

TEST(BeginIfEmpty, BuildsForATableWithoutComments) {
  TableWorld world;
  auto begin = [&](const projection::Followed& followed) {
    return wait(projection::begin_if_empty(world.table, followed, world.make_index));
  };
  EXPECT_FALSE(begin(world.of_index));
  EXPECT_EQ(world.index.now, State{});
  while (!world.stream.comments.empty())
    world.stream.write(world.stream.comments.begin()->first, {});
  EXPECT_TRUE(begin(world.of_index));
  EXPECT_EQ(world.index.now.phase, Phase::following);
  world.stream.calls.fault = [](const std::string&) { return Fault::before; };
  EXPECT_FALSE(begin(world.of_statistics)) << "nothing is known of the table";
}

}  // namespace
}  // namespace quire
