// Contract of page indexes: marks, phases and epochs, which change together with the lists.
#pragma once

#include <barrier>
#include <thread>

#include "page_index/index_compare.h"

namespace quire {

inline const Cell english_five = cell("en", 5);
inline const Cell german_one = cell("de", 1);

inline Ulid id_number(std::uint8_t number) {
  return Ulid::make(1'700'000'000'000, {0, 0, 0, 0, 0, 0, 0, 0, 0, number});
}
inline Change inserted(std::uint8_t number, Cell to = english_five) {
  return {"42", id_number(number), {}, to};
}

TEST_P(IndexContract, AnEmptyIndexHasNothing) {
  EXPECT_EQ(state(), State{});
  EXPECT_TRUE(products().empty());
  EXPECT_TRUE(languages("42").empty());
  std::mt19937_64 random(1);
  expect_same(*index_, {}, random);
}

TEST_P(IndexContract, AResetKeepsOnlyTheGivenState) {
  reset({Phase::building, "e1", "arn:1", {{"scan/0", {"at", false, 1}}, {"s", {"7", true, 0}}}});
  EXPECT_TRUE(apply(step_of("e1", "s", Mark{"7", true}, {"8"}, {inserted(1)})));
  ASSERT_EQ(ids("42").size(), 1u);
  State anew{Phase::following, "e2", "arn:2", {{"t", {"", false, 1'700'000'000'000}}}};
  reset(anew);
  EXPECT_EQ(state(), anew);
  EXPECT_TRUE(ids("42").empty());
  EXPECT_TRUE(products().empty());
  EXPECT_TRUE(languages("42").empty());
  reset({});
  EXPECT_EQ(state(), State{});
}

TEST_P(IndexContract, MarksMayHaveAnyBytes) {
  std::string key = R"({"PK":{"S":"PRODUCT#a/b%20'\" 😀"},"SK":{"S":"S"}})";
  State odd{Phase::building,
            "an epoch: 'e'",
            "arn:aws:dynamodb:eu-west-1:1:table/t/stream/2024-01-01T00:00:00.000",
            {{"shardId-00000001414576573621-f55eea83", {key, false, 0}},
             {"scan#1/4 \"quoted\"\\", {std::string(2000, 'k'), false, 253'402'300'799'999}},
             {"not begun", {"", false, 0}},
             {"ended", {"", true, 5}}}};
  reset(odd);
  EXPECT_EQ(state(), odd);
  reopen();
  EXPECT_EQ(state(), odd);
  Mark after{key + "!", true, 3};
  EXPECT_TRUE(
      apply(step_of(odd.epoch, "scan#1/4 \"quoted\"\\", Mark{std::string(2000, 'k')}, after, {})));
  EXPECT_EQ(state().marks["scan#1/4 \"quoted\"\\"], after);
}

TEST_P(IndexContract, AStepMovesTheMarkAndTheMembers) {
  reset({Phase::building, "e", "arn", {}});
  EXPECT_TRUE(
      apply(step_of("e", "s", {}, {"1", false, 10}, {inserted(1), inserted(2, german_one)})));
  EXPECT_EQ(state(), (State{Phase::building, "e", "arn", {{"s", {"1", false, 10}}}}));
  EXPECT_EQ(ids("42").size(), 2u);
  EXPECT_TRUE(change_phase("e", Phase::building, Phase::following));
  Change moved{"42", id_number(1), english_five, german_one};
  EXPECT_TRUE(apply(step_of("e", "s", Mark{"1", false, 10}, {"2", true, 20}, {moved})));
  EXPECT_EQ(state().marks["s"], (Mark{"2", true, 20}));
  EXPECT_EQ(ids("42", german_one).size(), 2u);
  EXPECT_TRUE(ids("42", english_five).empty());
  EXPECT_TRUE(apply(step_of("e", "t", {}, {"1"}, {})));  // a step without changes
  EXPECT_EQ(state().marks.size(), 2u);
}

TEST_P(IndexContract, TheTimeOfAMarkDoesNotCount) {
  reset({Phase::following, "e", "arn", {{"s", {"1", false, 10}}}});
  EXPECT_TRUE(apply(step_of("e", "s", Mark{"1", false, 99}, {"1", false, 11}, {})));
  EXPECT_EQ(state().marks["s"], (Mark{"1", false, 11}));
}

TEST_P(IndexContract, AStepFromAnotherMarkIsRefusedAndChangesNothing) {
  State before{Phase::following, "e", "arn", {{"s", {"5", false, 1}}, {"old", {"9", true, 1}}}};
  reset(before);
  put({inserted(1)});
  std::vector<Change> changes{inserted(2), {"42", id_number(1), english_five, {}}};
  for (const auto& step : steps_from_elsewhere(changes)) {
    EXPECT_FALSE(apply(step));
    EXPECT_EQ(state(), before);
    EXPECT_EQ(ids("42"), std::vector{id_number(1)});
  }
}

TEST_P(IndexContract, TheSameStepIsAppliedOnce) {
  reset({Phase::following, "e", "arn", {}});
  auto step = step_of("e", "s", {}, {"1"}, {inserted(1)});
  EXPECT_TRUE(apply(step));
  put({{"42", id_number(1), english_five, {}}});
  EXPECT_FALSE(apply(step));
  EXPECT_TRUE(ids("42").empty());
  EXPECT_EQ(state().marks, (std::map<std::string, Mark>{{"s", {"1"}}}));
}

TEST_P(IndexContract, ForgottenMarksAreRemoved) {
  reset({Phase::following, "e", "arn", {{"a", {"1"}}, {"b", {"2", true}}, {"c", {"3"}}}});
  EXPECT_TRUE(apply(step_of("e", "a", Mark{"1"}, {"2"}, {inserted(1)}, {"b", "c", "unknown"})));
  EXPECT_EQ(state().marks, (std::map<std::string, Mark>{{"a", {"2"}}}));
  EXPECT_TRUE(apply(step_of("e", "b", {}, {"1"}, {})));  // as for a new shard
}

TEST_P(IndexContract, ATurnChangesThePhaseAlone) {
  State now{Phase::building, "e", "arn", {{"s", {"5", false, 1}}}};
  reset(now);
  put({inserted(1)});
  expect_only_the_phase_changes(*index_, now);
  EXPECT_EQ(ids("42").size(), 1u);
}

TEST_P(IndexContract, ReopeningKeepsEverything) {
  std::mt19937_64 random(3);
  PlainCells plain;
  State kept{Phase::following, "e", "arn", {{"a", {"1", true, 2}}, {"b", {"", false, 3}}}};
  reset(kept);
  std::vector<Change> changes;
  for (int i = 0; i < 100; ++i) changes.push_back(plain.wander(random, i % 2 ? "42" : "a/b"));
  put(changes);
  reopen();
  EXPECT_EQ(state(), kept);
  expect_same(*index_, plain, random);
  put({plain.wander(random, "42")});
  expect_same(*index_, plain, random);
}

// Uses one index, and two where a process may open two.
TEST_P(IndexContract, OfTwoThatApplyTheSameStepOneSucceeds) {
  reset({Phase::following, "e", "arn", {}});
  auto second = GetParam().twice ? open() : nullptr;
  std::array<PageIndex*, 2> who{index_.get(), second ? second.get() : index_.get()};
  constexpr std::uint8_t rounds = 25;
  std::array<std::vector<bool>, 2> told;
  std::barrier together(2);
  auto race = [&](std::size_t me) {
    for (std::uint8_t i = 1; i <= rounds; ++i) {
      together.arrive_and_wait();
      std::optional<Mark> before;
      if (i > 1) before = Mark{std::to_string(i - 1)};
      auto step = step_of("e", "s", before, {std::to_string(i)}, {inserted(i)});
      auto made = wait(who[me]->apply(step));
      // Retries after an error.
      for (int again = 0; !made && again < 100; ++again) made = wait(who[me]->apply(step));
      told[me].push_back(made.value());
      together.arrive_and_wait();
    }
  };
  std::thread other(race, 1);
  race(0);
  other.join();
  for (std::size_t i = 0; i < rounds; ++i) EXPECT_NE(told[0][i], told[1][i]) << i;
  EXPECT_EQ(ids("42").size(), rounds);
  EXPECT_EQ(state().marks["s"].read_to, std::to_string(rounds));
}

}  // namespace quire
