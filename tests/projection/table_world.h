// A table with a history, and its statistics and page index, all in memory.
#pragma once

#include "crew.h"
#include "loop/loop.h"
#include "plain_statistics.h"
#include "projection/build.h"
#include "projection/table.h"

namespace quire {

struct TableWorld {
  explicit TableWorld(std::uint64_t seed = 1) : writer(stream, seed) {
    // A recount reads the real clock. The stream's own clock runs by the event, and must be behind.
    stream.now_ms = system_ms() - 3'600'000;
    write(150);
  }

  void write(std::size_t times) {
    for (; times > 0; --times) writer.wander();
  }

  static projection::Building options() {
    projection::Building building{.segments = 2, .retry_delay = Milliseconds(1)};
    building.recount = hurried();
    building.stall_timeout = std::chrono::seconds(10);
    building.marking_poll = Milliseconds(1);
    return building;
  }
  Result<projection::Built> build(const projection::Followed& followed,
                                  projection::Building building = options()) {
    projection::Progress progress;
    return wait(projection::build(table, followed, make_index, building, progress));
  }
  void build_all(bool lambda = false) {
    auto building = options();
    building.lambda = lambda;
    for (const auto& each : table.followed) ASSERT_TRUE(build(each, building));
  }

  bool statistics_right() const { return statistics.totals == totals_of(stream); }
  bool index_right() const { return index.lists == lists_of(stream); }

  // Workers keep both in step, until stop().
  void hire() {
    for (const auto& each : table.followed) crew.hire(stream, *each.target);
  }
  // Whether a state has all changes of the stream's open shards.
  bool has_all(const State& state) {
    for (std::size_t bucket = 0; bucket < PlainStream::buckets; ++bucket) {
      auto shard = stream.shard_of(bucket);
      for (const auto& record : stream.records(shard)) {
        auto at = state.marks.find(shard);
        auto sequence = std::to_string(record.number);
        bool there = at != state.marks.end() && projection::not_after(sequence, at->second.read_to);
        if (!record.changes.empty() && !there) return false;
      }
    }
    return true;
  }
  // Workers take all that was written to both, and nothing twice.
  void expect_followed_up() {
    hire();
    EXPECT_TRUE(crew.until([&] { return has_all(statistics.now) && has_all(index.now); }));
    EXPECT_TRUE(statistics_right());
    EXPECT_TRUE(index_right());
    ASSERT_TRUE(crew.stop());
    crew.members.clear();
  }
  // Calls of all of them go so.
  void on_calls(std::function<Fault(const std::string&)> fault) {
    stream.calls.fault = index.calls.fault = statistics.calls.fault = std::move(fault);
  }

  PlainStream stream;
  PlainStatistics statistics;
  PlainTarget index;
  Writer writer;
  projection::ProjectedTable table{
      stream,
      statistics,
      &index,
      {{"statistics", "statistics", &statistics}, {"page index", "pages", &index}}};
  const projection::Followed& of_statistics = table.followed[0];
  const projection::Followed& of_index = table.followed[1];
  std::size_t indexes_made = 0;
  projection::MakeIndex make_index = [this]() -> Result<std::unique_ptr<PageIndex>> {
    ++indexes_made;
    return std::unique_ptr<PageIndex>(std::make_unique<PlainTarget>());
  };
  Crew crew;
};

}  // namespace quire
