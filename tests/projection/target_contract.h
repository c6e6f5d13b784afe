// What every target of a projection must do, whatever it keeps. Each asks its own tests for the
// rest.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "change/target.h"
#include "loop/loop.h"

namespace quire {

using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;

// A Step, made without braces, on which g++ 12 warns of what is not so.
inline Step step_of(std::string epoch, std::string shard, std::optional<Mark> before, Mark after,
                    std::vector<Change> changes, std::vector<std::string> forget = {}) {
  Step step;
  step.epoch = std::move(epoch);
  step.shard = std::move(shard);
  step.before = std::move(before);
  step.after = std::move(after);
  step.changes = std::move(changes);
  step.forget = std::move(forget);
  return step;
}

// None of which belongs to epoch "e", where shard "s" has the mark "5" and no other one has any;
// "old" is a shard that may be forgotten.
inline std::vector<Step> steps_from_elsewhere(const std::vector<Change>& changes) {
  Mark after{"6"};
  return {
      step_of("another", "s", Mark{"5"}, after, changes, {"old"}),
      step_of("", "s", Mark{"5"}, after, changes, {"old"}),
      step_of("another", "new", {}, after, changes, {"old"}),
      step_of("", "new", {}, after, changes, {"old"}),
      step_of("e", "s", Mark{"4"}, after, changes, {"old"}),
      step_of("e", "s", Mark{""}, after, changes, {"old"}),
      step_of("e", "s", Mark{"5", true}, after, changes, {"old"}),
      step_of("e", "s", {}, after, changes, {"old"}),
      step_of("e", "t", Mark{"5"}, after, changes, {"old"}),
      step_of("e", "t", Mark{""}, after, changes, {"old"}),
      step_of("e", "S", Mark{"5"}, after, changes, {"old"}),
  };
}

// The target is in `now`, of epoch "e", which is being built.
inline void expect_only_the_phase_changes(change::Target& target, State now) {
  auto change = [&](const char* epoch, Phase from, Phase to) {
    return wait(target.change_phase(epoch, from, to)).value();
  };
  EXPECT_FALSE(change("e", Phase::following, Phase::lost));
  EXPECT_FALSE(change("f", Phase::building, Phase::following));
  EXPECT_EQ(wait(target.state()).value(), now);
  for (auto [from, to] :
       {std::pair(Phase::building, Phase::following), std::pair(Phase::following, Phase::lost),
        std::pair(Phase::lost, Phase::empty)}) {
    EXPECT_TRUE(change("e", from, to));
    EXPECT_FALSE(change("e", from, to));
    now.phase = to;
    EXPECT_EQ(wait(target.state()).value(), now);
  }
}

}  // namespace quire
