// The table's statistics as a target of a projection: as strict with marks as a page index, and no
// change is counted twice.
#include "store/dynamodb/statistics/statistics.h"

#include <gtest/gtest.h>

#include "store/dynamodb/statistics/delta.h"
#include "store/dynamodb/statistics_world.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {
namespace {

class StatisticsTest : public testing::Test, protected StatisticsWorld {};

TEST_F(StatisticsTest, OfAnEmptyTableAreEmpty) {
  EXPECT_EQ(state(), State{});
  EXPECT_FALSE(applied(step_of("e", "s", {}, {"1"}, {inserted(1)})));
  EXPECT_FALSE(applied(step_of("", "s", {}, {"1"}, {inserted(1)})));
  EXPECT_FALSE(turn("e", Phase::empty, Phase::building));
  EXPECT_TRUE(service.table.items.empty());
}

TEST_F(StatisticsTest, AResetTakesAStateWithItsMarksAndLeavesTheCounts) {
  State first{Phase::building, "e1", "arn:1", {{"gone", {"at", false, 1}}, {"s", {"7", true, 0}}}};
  reset(first);
  EXPECT_EQ(state(), first);
  EXPECT_TRUE(applied(step_of("e1", "s", Mark{"7", true}, {"8"}, {inserted(1)})));
  State anew{Phase::following, "e2", "arn:2", {{"s", {"", false, 9}}, {"t", {"5", true, 0}}}};
  reset(anew);
  EXPECT_EQ(state(), anew);
  EXPECT_EQ(comments("42"), 1u);
  reset({});
  EXPECT_EQ(state(), State{});
}

TEST_F(StatisticsTest, MarksAreKeptForAnyNamesOfShards) {
  State odd{Phase::building,
            "an epoch: 'e'",
            "arn:aws:dynamodb:eu-west-1:1:table/t/stream/2024-01-01T00:00:00.000",
            {{"scan#1/4 \"quoted\"\\ 😀", {std::string(500, 'k'), false, 253'402'300'799'999}},
             {"not begun", {"", false, 0}},
             {"ended", {"", true, 5}}}};
  service.page = 1;  // and whatever pages they come in
  reset(odd);
  EXPECT_EQ(state(), odd);
  EXPECT_TRUE(applied(step_of(odd.epoch, "not begun", Mark{}, {"1", true, 3}, {})));
  EXPECT_EQ(state().marks["not begun"], (Mark{"1", true, 3}));
}

TEST_F(StatisticsTest, ManyMarksAreResetToo) {
  State many = following();
  for (int i = 0; i < 250; ++i) many.marks["s" + std::to_string(i)] = {std::to_string(i)};
  reset(many);
  EXPECT_EQ(state(), many);
  State few = following({{"s7", {"8"}}, {"other", {}}});
  few.epoch = "e2";
  reset(few);
  EXPECT_EQ(state(), few);
}

TEST_F(StatisticsTest, AStepMovesTheMarkAndTheCounts) {
  reset(following());
  EXPECT_TRUE(applied(step_of("e", "s", {}, {"1", false, 10}, {inserted(1), inserted(2)})));
  EXPECT_EQ(state(), following({{"s", {"1", false, 10}}}));
  EXPECT_EQ(comments("42"), 2u);
  change::Change moved{"42", id_at(1000, 1), cell("en", 5), cell("de", 1), "2"};
  EXPECT_TRUE(applied(step_of("e", "s", Mark{"1", false, 10}, {"2", true, 20}, {moved})));
  PlainCells plain;
  plain.apply({inserted(1), inserted(2), moved});
  EXPECT_EQ(items(), items_of(plain));
  EXPECT_TRUE(applied(step_of("e", "t", {}, {"1"}, {})));  // a step without changes
  EXPECT_EQ(state(), following({{"s", {"2", true, 20}}, {"t", {"1"}}}));
  // The last comment's removal removes its product.
  std::vector<change::Change> gone{{"42", id_at(1000, 1), cell("de", 1), {}, "3"},
                                   {"42", id_at(1000, 2), cell("en", 5), {}, "4"}};
  EXPECT_TRUE(applied(step_of("e", "t", Mark{"1"}, {"4"}, gone)));
  EXPECT_TRUE(items().empty());
}

TEST_F(StatisticsTest, TheRegistryOfProductsIsPaidOnce) {
  reset(following());
  std::vector<change::Change> changes{inserted(1), inserted(2)};
  changes[1].product = "43";
  EXPECT_TRUE(applied(step_of("e", "s", {}, {"1"}, changes)));
  service.page = 1;
  const auto& billed = access.client.metrics().consumed;
  double before = billed;
  auto found = wait(registered_products(access.client, "", 10)).value();
  EXPECT_EQ(found.names, (std::vector<std::string>{"42", "43"}));
  EXPECT_GT(found.consumed, 0);
  EXPECT_EQ(billed - before, found.consumed);
}

TEST_F(StatisticsTest, TheTimeOfAMarkDoesNotCount) {
  reset(following({{"s", {"1", false, 10}}}));
  EXPECT_TRUE(applied(step_of("e", "s", Mark{"1", false, 99}, {"1", false, 11}, {})));
  EXPECT_EQ(state().marks["s"], (Mark{"1", false, 11}));
}

TEST_F(StatisticsTest, AStepOfAnotherEpochOrMarkIsRefusedAndChangesNothing) {
  reset(following({{"s", {"5", false, 1}}, {"old", {"9", true, 1}}}));
  ASSERT_TRUE(applied(step_of("e", "first", {}, {"1"}, {inserted(1)})));
  auto before = service.table.items;
  std::vector<change::Change> changes{inserted(2), {"42", id_at(1000, 1), cell("en", 5), {}, "6"}};
  for (const auto& step : steps_from_elsewhere(changes)) {
    EXPECT_FALSE(applied(step)) << step.epoch << " " << step.shard;
    EXPECT_TRUE(service.table.items == before);
  }
}

TEST_F(StatisticsTest, TheSameStepIsMadeOnce) {
  reset(following());
  auto step = step_of("e", "s", {}, {"1"}, {inserted(1)});
  EXPECT_TRUE(applied(step));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(applied(step));
  EXPECT_EQ(comments("42"), 1u);
}

TEST_F(StatisticsTest, UnneededMarksAreRemoved) {
  std::map<std::string, Mark> marks{{"a", {"1"}}};
  std::vector<std::string> old;
  for (int i = 0; i < 12; ++i) {
    old.push_back("old" + std::to_string(i));
    marks[old.back()] = {"2", true};
  }
  reset(following(marks));
  // A step removes a few marks; the next step removes the others.
  for (int round = 1; state().marks.size() > 1; ++round) {
    ASSERT_LT(round, 10);
    Mark at = state().marks["a"];
    EXPECT_TRUE(applied(step_of("e", "a", at, at, {}, old)));
    std::erase_if(old, [&](const auto& shard) { return !state().marks.contains(shard); });
  }
  EXPECT_EQ(state(), following({{"a", {"1"}}}));
}

TEST_F(StatisticsTest, ATurnChangesThePhaseAlone) {
  State now{Phase::building, "e", "arn", {{"s", {"5", false, 1}}}};
  reset(now);
  expect_only_the_phase_changes(statistics, now);
}

// A half-made reset is never followed, and no step of the epoch before is made.
TEST_F(StatisticsTest, AResetThatBreaksOffLeavesAnEmptyOrAWholeState) {
  for (std::size_t at = 1;; ++at) {
    service.table.items.clear();
    State old = following({{"s", {"1"}}, {"t", {"2"}}});
    old.epoch = "old";
    service.fault = {};
    reset(old);
    std::size_t asked = 0;
    service.fault = [&](const std::string&, const auto&) {
      return ++asked >= at ? Fault::refused : Fault::none;
    };
    auto status = wait(statistics.reset(following({{"s", {"7"}}})));
    service.fault = {};
    if (status) {
      EXPECT_GT(at, 4u) << "or it failed nowhere";
      break;
    }
    auto now = state();
    if (now.phase == Phase::empty) {
      EXPECT_FALSE(applied(step_of("old", "new", {}, {"9"}, {inserted(1)})));
    } else {
      EXPECT_EQ(now, old) << "the reset was not begun";
    }
    reset(following({{"s", {"7"}}}));
    EXPECT_EQ(state(), following({{"s", {"7"}}}));
  }
}

TEST_F(StatisticsTest, ALostAnswerToAResetIsNoFailure) {
  for (const char* operation : {"PutItem", "TransactWriteItems"}) {
    faults(operation, {Fault::applied, Fault::none, Fault::applied});
    reset(following({{"s", {operation}}}));
    EXPECT_EQ(state(), following({{"s", {operation}}}));
  }
}

// A recount is of no use in another epoch.
TEST_F(StatisticsTest, ABuildWhoseEpochEndedChangesNothingMore) {
  State mine{Phase::building, "mine", {}, {}}, theirs{Phase::building, "theirs", {}, {}};
  Totals totals{{any, {0, 0, 0, 0, 1}}, {cell("en", 5)[language_facet], {0, 0, 0, 0, 1}}};
  reset(mine);
  EXPECT_TRUE(wait(statistics.put({{"42", totals}}, "mine")));
  reset(theirs);
  auto before = service.table.items;
  EXPECT_EQ(wait(statistics.put({{"43", totals}}, "mine")).error().code, ErrorCode::unavailable);
  EXPECT_EQ(wait(statistics.reset(following(), "mine")).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(service.table.items == before);
  EXPECT_TRUE(wait(statistics.put({{"43", totals}}, "theirs")));
  for (auto lost : {Fault::none, Fault::applied}) {
    reset(theirs);
    faults("PutItem", {lost, Fault::none, lost});
    EXPECT_TRUE(wait(statistics.reset(following(), "theirs")));
    EXPECT_EQ(state(), following());
  }
  EXPECT_FALSE(wait(statistics.reset(following(), "e"))) << "it is not being built";
}

// Of two concurrent resets one is whole, and the other is an error.
TEST_F(StatisticsTest, TwoResetsAtOnceAreNotMixed) {
  int whole = 0;
  for (int round = 0; round < 40; ++round) {
    State a = following(), b = following();
    a.epoch = "a" + std::to_string(round);
    b.epoch = "b" + std::to_string(round);
    for (int i = 0; i < 5; ++i) a.marks["s" + std::to_string(i)] = {"a"};
    for (int i = 3; i < 9; ++i) b.marks["s" + std::to_string(i)] = {"b"};
    TableStatistics other(access);
    auto both = [&]() -> Awaitable<std::vector<Status>> {
      std::vector<Awaitable<Status>> works;
      works.push_back(statistics.reset(a));
      works.push_back(other.reset(b));
      co_return co_await all(std::move(works));
    };
    auto ended = wait(both());
    auto is = state();
    if (is.phase == Phase::empty) {
      EXPECT_FALSE(ended[0] || ended[1]);
      continue;
    }
    ++whole;
    EXPECT_EQ(is, is.epoch == a.epoch ? a : b);
    EXPECT_TRUE(is.epoch == a.epoch ? ended[0].ok() : ended[1].ok());
  }
  EXPECT_GT(whole, 0);
}

TEST_F(StatisticsTest, DamagedMarksAreAnError) {
  reset(following({{"s", {"1"}}}));
  for (auto& [key, item] : service.table.items) {
    if (key.second == "SHARD#s") item.erase("as_of");
  }
  EXPECT_EQ(wait(statistics.state()).error().code, ErrorCode::damaged);
}

}  // namespace
}  // namespace quire::dynamodb
