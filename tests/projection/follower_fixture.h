// A follower of one shard between a stream and a target in memory.
#pragma once

#include <gtest/gtest.h>

#include "crew.h"
#include "projection/follower.h"

namespace quire {

class FollowerTest : public testing::Test {
 protected:
  using Follower = projection::Follower;
  using End = Follower::End;

  FollowerTest() { target_.now = following(stream_); }

  // Follows a shard as the target has it now.
  Crew::Member& follow(std::string shard = "shard-0") {
    mine_ = true;
    end_.reset();
    return crew_.run(task(target_.now, std::move(shard)));
  }
  Awaitable<void> task(State state, std::string shard) {
    end_ = co_await follower_.follow(std::move(state), std::move(shard), [this] { return mine_; });
  }
  [[nodiscard]] bool until_in_step() {
    return crew_.until([&] { return in_step(stream_, target_); });
  }
  // The first calls with this name go so.
  static auto first(std::string name, std::vector<Fault> faults) {
    return [=, next = std::size_t{0}](const std::string& asked) mutable {
      return asked == name && next < faults.size() ? faults[next++] : Fault::none;
    };
  }
  Mark mark() { return target_.now.marks.at("shard-0"); }

  PlainStream stream_;
  PlainTarget target_;
  projection::WorkerCounters counters_;
  Follower follower_{stream_, target_, hurried(), stream_.clock(), counters_};
  Crew crew_;
  Writer writer_{stream_, 1};
  bool mine_ = true;
  std::optional<End> end_;
};

}  // namespace quire
