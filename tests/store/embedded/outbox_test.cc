// The log of events of a table: what a step adds, once; what belongs to another moment; the row of
// how far the stream was read, as docs/formats/store.md shows it.
#include "store/embedded/outbox/outbox.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loop/loop.h"
#include "projection/target_contract.h"
#include "store/embedded/upkeep/verify.h"
#include "store/event_log.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Outboxes : public testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    outbox_.reset();
    store_.reset();
    store_ = LmdbStore::open(directory_.path(), Access::write).value();
    outbox_ = std::make_unique<Outbox>(*store_);
  }
  void keep(bool kept = true) { ASSERT_TRUE(wait(store_->keep_events(kept))); }
  void reset(const change::State& state) { ASSERT_TRUE(wait(outbox_->reset(state))); }
  change::State state() { return wait(outbox_->state()).value(); }
  bool apply(Step step) { return wait(outbox_->apply(std::move(step))).value(); }
  std::vector<Event> log() {
    auto view = store_->view();
    auto run = wait(view->event_log()->events({}, 1000)).value();
    return run ? run->events : std::vector<Event>();
  }
  std::vector<std::uint64_t> told() {
    std::vector<std::uint64_t> out;
    for (const auto& event : log()) out.push_back(event.id.ms());
    return out;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  std::unique_ptr<Outbox> outbox_;
};

change::State at_five() {
  change::State state{Phase::building, "e", "arn", {}};
  state.marks["s"] = Mark{"5", false, 7};
  state.marks["old"] = Mark{"", true, 0};
  return state;
}

// An event whose comment has the number in its id.
Change happened(std::uint64_t number, std::uint64_t time_ms = 1) {
  Change change{"42", id_at(number, 1)};
  change.event = Event{.time_ms = time_ms,
                       .type = EventType::published,
                       .fresh = true,
                       .id = change.id,
                       .product = "42"};
  return change;
}

TEST_F(Outboxes, AStepMovesItsMarkAndAddsItsEvents) {
  EXPECT_EQ(state(), change::State());
  keep();
  reset(at_five());
  EXPECT_EQ(state(), at_five());
  Change silent{"42", id_at(9, 1)};
  ASSERT_TRUE(apply(step_of("e", "s", Mark{"5"}, Mark{"6", false, 8},
                            {happened(1), silent, happened(2, 3)}, {"old"})));
  ASSERT_TRUE(apply(step_of("e", "t", {}, Mark{"1"}, {happened(3)})));
  auto now = at_five();
  now.marks.erase("old");
  now.marks["s"] = Mark{"6", false, 8};
  now.marks["t"] = Mark{"1"};
  EXPECT_EQ(state(), now);
  EXPECT_EQ(told(), (std::vector<std::uint64_t>{1, 2, 3}));
  auto second = log()[1];
  EXPECT_EQ(second.time_ms, 3u) << "as the stream tells it";
  EXPECT_EQ(second.type, EventType::published);
  EXPECT_TRUE(second.fresh);
  EXPECT_EQ(second.product, "42");
  EXPECT_GT(second.mark, log()[0].mark);
  open();
  EXPECT_EQ(state(), now);
  EXPECT_EQ(told().size(), 3u);
}

TEST_F(Outboxes, AStepFromElsewhereChangesNothing) {
  EXPECT_FALSE(apply(step_of("e", "s", {}, Mark{"6"}, {happened(1)})));
  keep();
  reset(at_five());
  for (const auto& step : steps_from_elsewhere({happened(1)})) EXPECT_FALSE(apply(step));
  EXPECT_EQ(state(), at_five());
  EXPECT_TRUE(told().empty());
  auto step = step_of("e", "s", Mark{"5"}, Mark{"6"}, {happened(1)});
  EXPECT_TRUE(apply(step));
  EXPECT_FALSE(apply(step)) << "it comes again";
  EXPECT_EQ(told().size(), 1u);
}

TEST_F(Outboxes, ThePhaseChangesAlone) {
  auto state = at_five();
  reset(state);
  expect_only_the_phase_changes(*outbox_, state);
}

TEST_F(Outboxes, WhatHappenedBeforeItBeganIsNotTold) {
  keep();
  change::State state{Phase::following, id_at(90'500, 1).text(), "arn", {}};
  reset(state);
  // The second of the beginning may be before it or after; so may a minute, of DynamoDB Local.
  std::vector<Change> changes{happened(1, 80'000), happened(2, 89'000), happened(3, 90'000),
                              happened(4, 60'000), happened(5, 91'000)};
  ASSERT_TRUE(apply(step_of(state.epoch, "s", {}, Mark{"6"}, changes)));
  EXPECT_EQ(told(), (std::vector<std::uint64_t>{3, 4, 5}));
}

TEST_F(Outboxes, ALogThatIsNotKeptOnlyMovesOn) {
  reset(at_five());
  ASSERT_TRUE(apply(step_of("e", "s", Mark{"5"}, Mark{"6"}, {happened(1)})));
  EXPECT_EQ(state().marks["s"].read_to, "6");
  keep();
  EXPECT_TRUE(told().empty());
  ASSERT_TRUE(apply(step_of("e", "s", Mark{"6"}, Mark{"7"}, {happened(2)})));
  EXPECT_EQ(told().size(), 1u);
  reset(at_five());
  EXPECT_EQ(told().size(), 1u) << "what is in the log stays there";
}

TEST_F(Outboxes, AreApartFromAShopsStore) {
  EXPECT_TRUE(is_apart(*store_)) << "it is empty";
  keep();
  EXPECT_FALSE(is_apart(*store_)) << "a shop's log";
  reset(at_five());
  EXPECT_TRUE(is_apart(*store_));
  for (auto status : {CommentStatus::published, CommentStatus::pending}) {
    TemporaryDirectory other;
    auto shop = LmdbStore::open(other.path(), Access::write).value();
    auto comment = comment_at(1, 1, "en", 5);
    comment.moderation.status = status;
    ASSERT_TRUE(wait(shop->insert(comment, {})));
    EXPECT_FALSE(is_apart(*shop));
  }
}

TEST_F(Outboxes, ARowThatIsDamagedIsFoundAndRepaired) {
  reset(at_five());
  EXPECT_EQ(verify(store_->databases()).differences, 0u);
  {
    lmdb::WriteTransaction txn(*store_->databases().environment);
    txn.put(store_->databases().meta.dbi, followed_row, std::string(12, 'x'));
    txn.commit();
  }
  auto state = wait(outbox_->state());
  ASSERT_FALSE(state);
  EXPECT_NE(state.error().message.find("Run quire verify --repair --store lmdb:"),
            std::string::npos)
      << state.error().message;
  EXPECT_EQ(verify(store_->databases()).differences, 1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(verify(store_->databases()).differences, 0u);
  EXPECT_EQ(this->state(), change::State()) << "a worker begins again";
}

TEST(RowOfTheStream, IsAsItsFormatSays) {
  auto row = R"({"phase":"building","epoch":"e","stream":"arn","marks":{)"
             R"("old":{"read_to":"","ended":true,"as_of_ms":0},)"
             R"("s":{"read_to":"5","ended":false,"as_of_ms":7}}})";
  EXPECT_EQ(encode_followed(at_five()), row);
  EXPECT_EQ(decode_followed(row), at_five());
  for (auto* damaged :
       {"", "{", "[]", "{}", R"({"phase":"odd","epoch":"e","stream":"","marks":{}})",
        R"({"phase":"empty","epoch":1,"stream":"","marks":{}})",
        R"({"phase":"empty","epoch":"e","stream":"","marks":{"s":{}}})"})
    EXPECT_THROW(decode_followed(damaged), lmdb::Damaged) << damaged;
}

}  // namespace
}  // namespace quire::embedded
