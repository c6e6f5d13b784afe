// Random histories of a table and its stream, workers that come and go, and faults everywhere: at
// the end everything was applied, and nothing twice.
#include <gtest/gtest.h>

#include "crew.h"

namespace quire {
namespace {

struct Story {
  std::string name;
  std::size_t workers;
  double faults;                // how many calls fail
  double deaths;                // how many turns of the story kill a worker
  std::size_t part = SIZE_MAX;  // of a step that the target makes at once
  std::uint64_t seed = 0;
};

void PrintTo(const Story& story, std::ostream* out) {
  *out << story.name;
}

class History : public testing::TestWithParam<Story> {
 protected:
  static constexpr int chapters = 120;

  void begin(std::uint64_t seed) {
    writer_.emplace(stream_, seed);
    target_.now = following(stream_);
    target_.part = GetParam().part;
    stream_.late = seed % 2 == 0;
    stream_.honest = 4;  // two empty answers in a row are taken for the end of what there is
    stream_.calls.max_turns = target_.calls.max_turns = 3;
    stream_.calls.fault = [this](const std::string& name) {
      if (!chance(GetParam().faults)) return Fault::none;
      constexpr Fault faults[] = {Fault::before, Fault::after, Fault::expired, Fault::empty};
      auto fault = faults[writer_->random()() % 4];
      bool of_read = fault == Fault::expired || fault == Fault::empty;
      if (fault == Fault::empty && stream_.late) return Fault::before;
      return of_read && name != "read" ? Fault::before : fault;
    };
    target_.calls.fault = [this](const std::string&) {
      if (!chance(GetParam().faults)) return Fault::none;
      return writer_->random()() % 2 == 0 ? Fault::before : Fault::after;
    };
  }

  bool chance(double part) {
    return std::uniform_real_distribution<double>(0, 1)(writer_->random()) < part;
  }

  // As many as the story has, after whoever was killed or stopped.
  void fill() {
    std::size_t at_work = 0;
    for (const auto& member : crew_.members) at_work += member.loop && !member.ended;
    for (; at_work < GetParam().workers; ++at_work) crew_.hire(stream_, target_);
  }

  void a_worker_ends() {
    auto& member = crew_.members[writer_->random()() % crew_.members.size()];
    if (!member.worker) return;
    if (writer_->random()() % 2 == 0)
      Crew::kill(member);
    else
      member.worker->stop();
  }

  // Of what a worker says is in the target, everything is.
  void expect_no_false_claims() {
    for (const auto& member : crew_.members) {
      if (!member.worker) continue;
      auto as_of_ms = member.worker->status().as_of_ms;
      std::set<std::string> places;
      for (const auto& change : target_.applied) places.insert(change.sequence);
      for (std::size_t i = 0; i < stream_.written.size() && stream_.times[i] < as_of_ms; ++i)
        ASSERT_TRUE(places.contains(stream_.written[i].sequence));
    }
  }

  PlainStream stream_;
  PlainTarget target_;
  std::optional<Writer> writer_;
  Crew crew_;
};

TEST_P(History, EndsWithEachChangeAppliedOnceAndInOrder) {
  begin(GetParam().seed);
  for (int chapter = 0; chapter < chapters; ++chapter) {
    fill();
    for (auto writes = writer_->random()() % 8; writes > 0; --writes) writer_->wander();
    crew_.spend(Milliseconds(writer_->random()() % 4));
    if (chance(GetParam().deaths)) a_worker_ends();
    expect_no_false_claims();
  }
  stream_.calls.fault = target_.calls.fault = {};
  ASSERT_TRUE(crew_.until([&] {
    fill();  // a worker may be about to stop
    return in_step(stream_, target_);
  }));
  auto now_ms = stream_.now_ms;
  ASSERT_TRUE(crew_.until([&] {
    fill();
    return std::any_of(crew_.members.begin(), crew_.members.end(), [&](const auto& each) {
      return each.worker && each.worker->status().as_of_ms > now_ms;
    });
  }));
  expect_no_false_claims();
  expect_exact(stream_, target_);
  EXPECT_EQ(target_.now.phase, Phase::following);
  EXPECT_LE(target_.max_changes, 2 * stream_.records_at_once);
  EXPECT_LE(stream_.max_read, stream_.records_at_once);
  EXPECT_GT(stream_.shards(), 3u) << "or it tells little";
  ASSERT_TRUE(crew_.stop());
}

std::vector<Story> stories() {
  std::vector<Story> all;
  for (std::size_t workers : {1u, 2u, 3u}) {
    auto of = "Of" + std::to_string(workers);
    for (const auto& story :
         {Story{of + "InPeace", workers, 0, 0}, Story{of + "WithFaults", workers, 0.1, 0},
          Story{of + "WithDeaths", workers, 0, 0.2},
          Story{of + "WithFaultsAndDeaths", workers, 0.05, 0.1},
          Story{of + "InParts", workers, 0.05, 0.1, 2}}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        all.push_back(story);
        all.back().name += std::to_string(seed);
        all.back().seed = 10 * workers + seed;
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Projection, History, testing::ValuesIn(stories()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace quire
