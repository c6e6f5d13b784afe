// A scan of the whole table, handed over to the stream; interrupted anywhere, it goes on.
#include "projection/backfill.h"

#include <gtest/gtest.h>

#include "base/rounds.h"
#include "crew.h"
#include "projection/follower.h"

namespace quire {
namespace {

using projection::Building;
using projection::Progress;

// A table with some comments and a history, and a target that has nothing.
struct World {
  explicit World(std::uint64_t seed = 1) : writer(stream, seed) {
    for (int i = 0; i < 150; ++i) writer.wander();
  }

  Building options(std::size_t segments) {
    Building building;
    building.segments = segments;
    building.retry_delay = Milliseconds(1);
    building.clock = stream.clock();
    return building;
  }

  // One that is run with others of the crew; what became of it, once it has ended.
  struct Run {
    std::optional<Status> status;
    Progress progress;
    Crew::Member* member;
    bool ok() const { return status && status->ok(); }
  };
  Run& start(Building building, std::string epoch) {
    Run& run = runs.emplace_back();
    run.member = &crew.run(
        [](World& world, Building building, std::string epoch, Run& run) -> Awaitable<void> {
          run.status = co_await projection::backfill(world.stream, world.target, std::move(epoch),
                                                     std::move(building), run.progress);
        }(*this, std::move(building), std::move(epoch), run));
    return run;
  }
  // Until it has ended, or died.
  Run& build(std::size_t segments, std::string epoch = "e1", bool again = false) {
    auto building = options(segments);
    building.again = again;
    Run& run = start(std::move(building), std::move(epoch));
    EXPECT_TRUE(crew.until([&] { return run.member->ended; }));
    return run;
  }
  // A worker takes it from there, until it has all that was written.
  void expect_followed_up() {
    ASSERT_EQ(target.now.phase, Phase::following);
    auto& worker = *crew.hire(stream, target).worker;
    auto now_ms = stream.now_ms;
    ASSERT_TRUE(crew.until([&] { return worker.status().as_of_ms > now_ms; }));
    EXPECT_TRUE(target.lists == lists_of(stream));
    ASSERT_TRUE(crew.stop());
  }
  // Calls of both go so, after `then` was done.
  void on_calls(std::function<Fault(const std::string&)> fault) {
    stream.calls.fault = target.calls.fault = std::move(fault);
  }

  PlainStream stream;
  PlainTarget target;
  Writer writer;
  std::deque<Run> runs;
  Crew crew;
};

TEST(Backfill, BuildsTheWholeTableAndCounts) {
  for (std::size_t segments : {1u, 3u, 8u, 64u}) {
    World world;
    auto& run = world.build(segments);
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(world.target.lists == lists_of(world.stream));
    EXPECT_EQ(run.progress.comments, world.stream.comments.size());
    EXPECT_EQ(run.progress.segments, segments);
    EXPECT_EQ(run.progress.part(), 1);
    EXPECT_EQ(world.target.now.epoch, "e1");
    EXPECT_EQ(world.target.now.stream, world.stream.arn);
    EXPECT_LE(world.target.max_changes, world.stream.ids_at_once);
    world.expect_followed_up();
  }
}

TEST(Backfill, AnEmptyTableIsBuiltAtOnce) {
  World world;
  while (!world.stream.comments.empty())
    world.stream.write(world.stream.comments.begin()->first, {});
  ASSERT_TRUE(world.build(4).ok());
  EXPECT_TRUE(world.target.lists.empty());
  world.expect_followed_up();
}

// What is written before, during and after each call.
TEST(Backfill, WritesGoOnWhileItScans) {
  for (std::uint64_t seed = 1; seed <= rounds(30u); ++seed) {
    World world(seed);
    world.stream.calls.max_turns = world.target.calls.max_turns = 2;
    world.on_calls([&](const std::string&) {
      for (auto writes = world.writer.random()() % 4; writes > 0; --writes) world.writer.wander();
      return Fault::none;
    });
    ASSERT_TRUE(world.build(seed % 4 + 1).ok());
    world.on_calls({});
    world.expect_followed_up();
  }
}

// At each call of source or target the process dies; then it is called again.
TEST(Backfill, KilledAtAnyCallItGoesOn) {
  for (std::size_t segments : {1u, 3u}) {
    World peaceful;
    ASSERT_TRUE(peaceful.build(segments).ok());
    auto scans = peaceful.stream.calls.asked["scan"];
    std::size_t at = 1;
    for (bool died = true; died; ++at) {
      World world;
      Death death(at);
      world.on_calls([&](const std::string& name) { return death(name); });
      auto& first = world.build(segments, "e1");
      died = death.came();
      EXPECT_NE(died, first.ok());
      auto resets = world.target.resets;
      world.on_calls({});
      ASSERT_TRUE(world.build(segments, "e2").ok());
      EXPECT_LE(world.stream.calls.asked["scan"], scans + segments) << "killed at call " << at;
      EXPECT_EQ(world.target.resets, 1u);
      EXPECT_EQ(world.target.now.epoch, resets > 0 ? "e1" : "e2");
      EXPECT_EQ(world.target.applied.size(), world.stream.comments.size());
      world.expect_followed_up();
    }
    EXPECT_GT(at, scans) << "or it died nowhere";
  }
}

// The process dies between any two things it does, and with it what it had asked for.
TEST(Backfill, KilledAtAnyMomentWhileWritesGoOnItGoesOn) {
  for (std::uint64_t seed = 1; seed <= rounds(60u); ++seed) {
    World world(seed);
    world.stream.calls.max_turns = world.target.calls.max_turns = 2;
    world.on_calls([&](const std::string&) {
      world.writer.wander();
      return Fault::none;
    });
    for (;;) {
      auto& run = world.start(world.options(2), "e" + std::to_string(world.runs.size()));
      world.crew.turns(20 + world.writer.random()() % 200);
      if (run.member->ended) break;
      Crew::kill(*run.member);
    }
    ASSERT_TRUE(world.runs.back().ok());
    world.on_calls({});
    world.expect_followed_up();
  }
}

TEST(Backfill, AnyCallMayFailOrLoseItsAnswer) {
  for (auto fault : {Fault::before, Fault::after}) {
    std::size_t at = 1;
    for (bool failed = true; failed; ++at) {
      World world;
      std::size_t asked = 0;
      world.on_calls([&](const std::string&) { return ++asked == at ? fault : Fault::none; });
      auto& first = world.build(2, "e1");
      failed = asked >= at;
      if (!first.ok()) {
        EXPECT_EQ(first.status->error().code, ErrorCode::unavailable);
        ASSERT_TRUE(world.build(2, "e2").ok()) << at;
      }
      EXPECT_EQ(world.target.applied.size(), world.stream.comments.size()) << at;
      world.expect_followed_up();
    }
    EXPECT_GT(at, 20u);
  }
}

TEST(Backfill, APermanentFailureEndsTheBuildWhichCanBeCalledAgain) {
  World world;
  world.stream.calls.fault = [n = 0](const std::string& name) mutable {
    return name == "scan" && ++n > 4 ? Fault::before : Fault::none;
  };
  auto& first = world.build(1);
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.status->error().message, down().message);
  EXPECT_EQ(world.target.now.phase, Phase::building);
  EXPECT_LT(first.progress.part(), 1);
  world.on_calls({});
  ASSERT_TRUE(world.build(1, "e2").ok());
  EXPECT_EQ(world.target.resets, 1u);
  world.expect_followed_up();
}

TEST(Backfill, AFollowingTargetIsLeftAlone) {
  World world;
  ASSERT_TRUE(world.build(2, "e1").ok());
  auto scans = world.stream.calls.asked["scan"];
  ASSERT_TRUE(world.build(2, "e2").ok());
  EXPECT_EQ(world.stream.calls.asked["scan"], scans);
  EXPECT_EQ(world.target.now.epoch, "e1");
  // Unless it is to be built again.
  ASSERT_TRUE(world.build(2, "e3", true).ok());
  EXPECT_EQ(world.target.now.epoch, "e3");
  EXPECT_EQ(world.target.resets, 2u);
  world.expect_followed_up();
}

TEST(Backfill, ALostTargetIsBuiltAnew) {
  World world;
  ASSERT_TRUE(world.build(2, "e1").ok());
  world.target.now.phase = Phase::lost;
  ASSERT_TRUE(world.build(3, "e2").ok());
  EXPECT_EQ(world.target.now.epoch, "e2");
  world.expect_followed_up();
}

// A worker marks it as lost, but only at its next round.
TEST(Backfill, AFollowingTargetThatCannotGoOnIsBuiltAnew) {
  for (bool recreated : {true, false}) {
    World world;
    ASSERT_TRUE(world.build(2, "e1").ok());
    world.writer.write(10);
    if (recreated) {
      world.stream.recreate();
    } else {
      auto shard = world.stream.shard_of(0);
      world.stream.roll(0);
      world.stream.drop(shard);
    }
    ASSERT_EQ(world.target.now.phase, Phase::following);
    ASSERT_TRUE(world.build(2, "e2").ok());
    EXPECT_EQ(world.target.now.epoch, "e2");
    world.expect_followed_up();
  }
}

TEST(Backfill, TwoAtOnceDoNotDisturbEachOther) {
  for (std::uint64_t seed = 1; seed <= rounds(20u); ++seed) {
    World world(seed);
    world.stream.calls.max_turns = world.target.calls.max_turns = 3;
    auto& a = world.start(world.options(2), "a");
    world.crew.turns(world.writer.random()() % 60);
    auto& b = world.start(world.options(2), "b");
    ASSERT_TRUE(world.crew.until([&] { return a.member->ended && b.member->ended; }));
    // One may find itself in the other's way, and says so.
    EXPECT_TRUE(a.ok() || b.ok());
    for (auto* run : {&a, &b}) {
      if (!run->ok()) {
        EXPECT_EQ(run->status->error().code, ErrorCode::unavailable);
      }
    }
    world.expect_followed_up();
  }
}

TEST(Backfill, TellsThatAnotherHasBegunAnew) {
  World world;
  auto& first = world.start(world.options(1), "e1");
  world.target.calls.fault = [&, n = 0](const std::string& name) mutable {
    if (name == "apply" && ++n == 3) world.target.now.epoch = "another";
    return Fault::none;
  };
  ASSERT_TRUE(world.crew.until([&] { return first.member->ended; }));
  ASSERT_FALSE(first.ok());
  EXPECT_NE(first.status->error().message.find("Another quire backfill has begun"),
            std::string::npos);
  EXPECT_LE(world.target.calls.asked["state"], 4u) << "at once";
}

// Interrupted for so long that its stream is no longer there, or not all of it.
TEST(Backfill, BeginsAnewWhereTheStreamCannotBeFollowed) {
  for (int what = 0; what < 3; ++what) {
    World world;
    world.stream.calls.max_turns = 2;
    auto& first = world.start(world.options(1), "e1");
    ASSERT_TRUE(world.crew.until([&] { return world.stream.calls.asked["scan"] >= 3; }));
    ASSERT_FALSE(first.member->ended);
    Crew::kill(*first.member);
    world.writer.write(10);
    for (std::size_t bucket = 0; bucket < PlainStream::buckets; ++bucket) {
      auto shard = world.stream.shard_of(bucket);
      if (what == 0) world.stream.roll(bucket);
      if (what == 0) world.stream.drop(shard);
    }
    if (what == 1) world.stream.recreate();
    ASSERT_TRUE(world.build(1, "e2").ok());
    EXPECT_EQ(world.target.now.epoch, what == 2 ? "e1" : "e2");
    world.expect_followed_up();
  }
}

TEST(Backfill, AWorkerWaitsUntilItIsBuilt) {
  World world;
  auto& worker = *world.crew.hire(world.stream, world.target).worker;
  ASSERT_TRUE(world.crew.until([&] { return !worker.status().trouble.empty(); }));
  world.on_calls([&](const std::string& name) {
    if (name == "scan") world.writer.wander();
    if (name == "read") {
      EXPECT_EQ(world.target.now.phase, Phase::following);
    }
    return Fault::none;
  });
  ASSERT_TRUE(world.build(3).ok());
  world.on_calls({});
  auto now_ms = world.stream.now_ms;
  ASSERT_TRUE(world.crew.until([&] { return worker.status().as_of_ms > now_ms; }));
  EXPECT_TRUE(world.target.lists == lists_of(world.stream));
  // The marks of the scan are of no more use.
  ASSERT_TRUE(world.crew.until([&] {
    return std::none_of(world.target.now.marks.begin(), world.target.now.marks.end(),
                        [](const auto& mark) { return projection::is_segment(mark.first); });
  }));
}

// Another was faster, and a worker has gone on from there.
TEST(Backfill, FindsItDoneByAnother) {
  World world;
  auto slow = world.options(1);
  auto& first = world.start(slow, "e1");
  bool held = true;
  world.stream.calls.fault = [&](const std::string& name) {
    return held && name == "scan" && world.stream.calls.asked["scan"] == 3 ? Fault::before
                                                                           : Fault::none;
  };
  ASSERT_TRUE(world.crew.until([&] { return world.stream.calls.asked["scan"] >= 3; }));
  held = false;
  for (const auto& [id, where] : world.stream.comments)
    world.target.edit({where.product, id, {}, where.cell});
  world.target.now.marks.erase(projection::segment_name(0, 1));
  world.target.now.phase = Phase::following;
  ASSERT_TRUE(world.crew.until([&] { return first.member->ended; }));
  EXPECT_TRUE(first.ok());
  world.expect_followed_up();
}

TEST(Backfill, WithoutAStreamNothingIsBegun) {
  World world;
  world.stream.calls.fault = [](const std::string&) { return Fault::before; };
  auto& run = world.build(2);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(world.target.resets, 0u);
  EXPECT_EQ(world.target.now, State{});
}

// A state that another version wrote, say.
TEST(Backfill, AnUnreadableStateIsMadeAnewOnRequest) {
  World world;
  bool was_reset = false;
  world.on_calls([&](const std::string& name) {
    was_reset |= name == "reset";
    return name == "state" && !was_reset ? Fault::before : Fault::none;
  });
  EXPECT_FALSE(world.build(3).ok());
  EXPECT_FALSE(was_reset);
  EXPECT_TRUE(world.build(3, "e2", true).ok());
  world.expect_followed_up();
}

}  // namespace
}  // namespace quire
