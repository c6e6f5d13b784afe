// Several processes share a page index: one writes while another reads, two write, one is killed.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <thread>
#include <vector>

#include "lmdb/held_environment.h"
#include "loop/loop.h"
#include "page_index/lmdb/index.h"
#include "process.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

using change::Mark;
using change::Phase;

constexpr std::uint64_t comments_per_step = 3;

change::Step step(std::uint64_t number) {
  change::Step step{"e", "s", {}, {std::to_string(number)}, {}};
  if (number > 1) step.before = Mark{std::to_string(number - 1)};
  for (std::uint64_t i = 0; i < comments_per_step; ++i) {
    Ulid id = Ulid::make(number * 1000 + i, {1});
    step.changes.push_back({"42", id, {}, cell("en", static_cast<int>(i % 5) + 1)});
  }
  return step;
}

class Processes : public testing::Test {
 protected:
  Processes() { EXPECT_TRUE(wait(open()->reset({Phase::following, "e", "arn", {}}))); }

  std::unique_ptr<LmdbIndex> open(Access access = Access::write) {
    return LmdbIndex::open(directory_.path(), access).value();
  }
  // Applies steps 1, 2, … up to `last`. Returns how many of them this call applied.
  int make_steps(std::uint64_t last) {
    auto index = open();
    int made = 0;
    for (std::uint64_t i = 1; i <= last; ++i) made += wait(index->apply(step(i))).value();
    return made;
  }
  static std::uint64_t place(LmdbIndex& index) {
    auto marks = wait(index.state())->marks;
    return marks.contains("s") ? std::stoull(marks["s"].read_to) : 0;
  }
  static std::uint64_t length(LmdbIndex& index) {
    Cell all{};
    return wait(index.ranks()->lengths("42", {&all, 1})).value().at(0);
  }

  TemporaryDirectory directory_;
};

TEST_F(Processes, OneReadsWhileAnotherWrites) {
  constexpr std::uint64_t steps = 200;
  Process writer([&] { return make_steps(steps) == steps ? 0 : 1; });
  auto index = open(Access::read);
  for (bool last = false; !last;) {
    last = writer.ended();
    auto before = place(*index);
    auto members = length(*index);
    auto after = place(*index);
    EXPECT_GE(members, before * comments_per_step);
    EXPECT_LE(members, after * comments_per_step);
  }
  EXPECT_EQ(writer.exit_status(), 0);
  EXPECT_EQ(place(*index), steps);
  EXPECT_EQ(length(*index), steps * comments_per_step);
}

TEST_F(Processes, OfTwoWritersOneAppliesEachStep) {
  constexpr std::uint64_t steps = 100;
  Process first([&] { return make_steps(steps); });
  Process second([&] { return make_steps(steps); });
  EXPECT_EQ(first.exit_status() + second.exit_status(), 100);
  auto index = open(Access::read);
  EXPECT_EQ(place(*index), steps);
  EXPECT_EQ(length(*index), steps * comments_per_step);
}

TEST_F(Processes, TwoMayMakeTheIndexAtOnce) {
  for (int round = 0; round < 20; ++round) {
    auto directory = directory_.path() + "/" + std::to_string(round);
    auto open = [&] {
      auto i = LmdbIndex::open(directory, Access::write);
      if (!i) std::cerr << i.error().message << std::endl;
      return i ? 0 : 1;
    };
    Process first(open), second(open);
    EXPECT_EQ(first.exit_status(), 0);
    EXPECT_EQ(second.exit_status(), 0);
    auto index = LmdbIndex::open(directory, Access::read);
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ(wait((*index)->state()).value(), change::State{});
  }
}

TEST_F(Processes, AKilledWriterLeavesMarksAndListsConsistent) {
  std::uint64_t reached = 0;
  for (std::uint64_t round = 1; round <= 10; ++round) {
    Process writer([&] {
      auto index = open();
      for (auto next = place(*index) + 1;; ++next) {
        if (!wait(index->apply(step(next))).value()) return 1;
      }
    });
    {
      auto index = open(Access::read);
      while (!writer.ended() && place(*index) < reached + round) {
      }
    }
    ASSERT_FALSE(writer.ended());
    writer.end();
    auto index = open();
    reached = place(*index);
    EXPECT_EQ(length(*index), reached * comments_per_step);
    ASSERT_TRUE(wait(index->apply(step(++reached))).value());
  }
}

// The first of them opens the index.
TEST_F(Processes, ReadersThatComeAtOnceWaitForNoWriter) {
  lmdb::HeldEnvironment writer({.directory = directory_.path()},
                               lmdb::HeldEnvironment::Transaction::write);
  auto index = open(Access::read);
  std::vector<std::thread> readers;
  std::atomic<int> following = 0;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&] {
      auto state = wait(index->state());
      following += state && state->phase == Phase::following;
    });
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(following, 4);
  EXPECT_FALSE(writer.process().ended());
}

TEST_F(Processes, ReadersDoNotWaitForAWriterAndTheQueueOfWritesIsBounded) {
  lmdb::HeldEnvironment writer({.directory = directory_.path()},
                               lmdb::HeldEnvironment::Transaction::write);
  auto index = open();
  std::size_t made = 0, refused = 0;
  boost::asio::io_context context;
  auto put = [&]() -> Awaitable<void> {
    auto status = co_await index->put({});
    ++(status ? made : refused);
  };
  for (std::size_t i = 0; i < LmdbIndex::max_waiting + 10; ++i)
    boost::asio::co_spawn(context, put, boost::asio::detached);
  while (refused < 10) context.run_one();
  EXPECT_EQ(made, 0u);
  EXPECT_EQ(place(*index), 0u);
  EXPECT_EQ(length(*index), 0u);
  writer.let_go();
  context.run();
  EXPECT_EQ(made, LmdbIndex::max_waiting);
  EXPECT_EQ(refused, 10u);
  EXPECT_TRUE(wait(index->put({})));
}

}  // namespace
}  // namespace quire::page_index
