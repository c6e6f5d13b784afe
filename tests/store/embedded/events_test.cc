// The log of events: one event for each change, in its transaction; how long it is kept; what an
// erasure leaves of it.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

#include "base/clock.h"
#include "loop/loop.h"
#include "service/changes.h"
#include "store/embedded/event_log.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Events : public testing::Test {
 protected:
  void open() { store_ = LmdbStore::open(directory_.path(), Access::write).value(); }
  void keep(bool kept = true) { ASSERT_TRUE(wait(store_->keep_events(kept))); }
  std::optional<EventRun> behind(std::optional<EventMark> after, std::size_t limit = 1000) {
    auto view = store_->view();
    return wait(view->event_log()->events(after, limit)).value();
  }
  std::optional<EventMark> newest() { return store_->view()->event_log()->newest_event(); }
  // The events since the last call, as "comment.published 3 new".
  std::vector<std::string> told() {
    std::vector<std::string> out;
    auto run = behind(mark_).value();
    for (const auto& event : run.events) {
      std::string text(event_name(event.type));
      if (event.type != EventType::erased) text += " " + std::to_string(numbers_.at(event.id));
      out.push_back(text + (event.fresh ? " new" : "") + (event.imported ? " imported" : ""));
    }
    mark_ = run.last;
    return out;
  }
  // The comment of this number, which told() knows.
  Comment one(std::uint64_t number, CommentStatus status = CommentStatus::published) {
    auto comment = comment_at(1000 + number, number, "en", 5, "p" + std::to_string(number));
    comment.moderation.status = status;
    if (status == CommentStatus::rejected) comment.moderation.reason = "spam";
    numbers_[comment.id] = number;
    return comment;
  }
  void insert(const Comment& comment) { ASSERT_TRUE(wait(store_->insert(comment, {}))); }
  void decide(std::uint64_t number, CommentStatus status) {
    Patch patch{.status = status};
    auto moderate = [status](const Comment&, Comment& after) -> Status {
      after.moderation.status = status;
      after.moderation.reason = status == CommentStatus::rejected ? "spam" : "";
      return Done{};
    };
    ASSERT_TRUE(wait(store_->update(one(number).id, patch, {}, moderate)));
  }
  using Told = std::vector<std::string>;

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
  std::map<Ulid, std::uint64_t> numbers_;
  std::optional<EventMark> mark_;
};

TEST_F(Events, AreNotKeptUntilTheyAreAskedFor) {
  open();
  insert(one(1));
  EXPECT_EQ(newest(), std::nullopt);
  EXPECT_EQ(behind({}), std::nullopt);
  keep();
  EXPECT_EQ(told(), Told{}) << "it begins now";
  insert(one(2));
  EXPECT_EQ(told(), Told{"comment.published 2 new"});
  store_.reset();
  open();
  insert(one(3));
  EXPECT_EQ(told(), Told{"comment.published 3 new"}) << "the store says that it is kept";
  keep(false);
  insert(one(4));
  EXPECT_EQ(behind(mark_), std::nullopt);
  auto before = mark_;
  keep();
  EXPECT_EQ(behind(before), std::nullopt) << "it lacks comment 4";
  mark_ = {};
  EXPECT_EQ(told(), Told{});
}

TEST_F(Events, OfEachDeedThereIsOne) {
  open();
  keep();
  told();
  for (auto status : {CommentStatus::published, CommentStatus::pending, CommentStatus::rejected})
    insert(one(static_cast<std::uint64_t>(status), status));
  EXPECT_EQ(told().size(), 3u);
  insert(one(10));
  insert(one(11, CommentStatus::pending));
  EXPECT_EQ(told(), (Told{"comment.published 10 new", "comment.held 11 new"}));
  decide(11, CommentStatus::published);
  decide(11, CommentStatus::rejected);
  decide(11, CommentStatus::pending);
  EXPECT_EQ(told(), (Told{"comment.published 11", "comment.rejected 11", "comment.held 11"}));
  ASSERT_TRUE(wait(store_->update(one(10).id, {.text = "Other."})));
  ASSERT_TRUE(wait(store_->update(one(10).id, {.text = "Other."})));
  EXPECT_EQ(told(), Told{"comment.changed 10"}) << "the second edit changes nothing";
  ASSERT_TRUE(wait(store_->update(one(10).id, {.reply = Reply{"Shop", "Thanks.", 5000}})));
  ASSERT_TRUE(wait(store_->update(one(10).id, {.reply = std::optional<Reply>()})));
  EXPECT_EQ(told(), (Told{"comment.replied 10", "comment.changed 10"}));
  Report report{{1}, 6000, "spam", ""};
  ASSERT_TRUE(wait(store_->report(one(10).id, report, 2)));
  ASSERT_TRUE(wait(store_->report(one(10).id, report, 2)));
  EXPECT_EQ(told(), Told{"comment.reported 10"}) << "of a person the first report counts";
  report.person = {2};
  ASSERT_TRUE(wait(store_->report(one(10).id, report, 2)));
  EXPECT_EQ(told(), Told{"comment.held 10"});
  decide(10, CommentStatus::published);
  told();
  ASSERT_TRUE(wait(store_->vote(one(10).id, CustomerHash{{7}}, Vote::helpful)));
  ASSERT_TRUE(wait(store_->vote(one(10).id, CustomerHash{{7}}, Vote::helpful)));
  EXPECT_EQ(told(), Told{"comment.voted 10"});
  ASSERT_TRUE(wait(store_->remove(one(10).id)));
  ASSERT_FALSE(wait(store_->remove(one(10).id)));
  EXPECT_EQ(told(), Told{"comment.removed 10"});
}

TEST_F(Events, OfAnImportSaySo) {
  open();
  keep();
  told();
  ASSERT_TRUE(wait(store_->insert_many({one(1), one(2, CommentStatus::pending)})));
  EXPECT_EQ(told(), (Told{"comment.published 1 new imported", "comment.held 2 new imported"}));
  auto row = one(1);
  row.text = "Better.";
  ImportRow changed{row};
  ASSERT_EQ(wait(store_->import_rows({changed}, {.update = true})).value().updated, 1u);
  ASSERT_EQ(wait(store_->import_rows({changed}, {.update = true})).value().known, 1u);
  EXPECT_EQ(told(), Told{"comment.changed 1 imported"});
  ASSERT_TRUE(wait(store_->keep_report(row.id, {{1}, 6000, "spam", ""})));
  EXPECT_EQ(told(), Told{"comment.reported 1 imported"});
}

TEST_F(Events, AreReadFromAnyMarkInPiecesOfAnyLength) {
  open();
  keep();
  for (std::uint64_t i = 0; i < 50; ++i) insert(one(i));
  auto all = behind({}).value();
  ASSERT_EQ(all.events.size(), 50u);
  for (std::size_t i = 0; i + 1 < 50; ++i) {
    EXPECT_LT(all.events[i].mark, all.events[i + 1].mark);
    EXPECT_GE(all.events[i].time_ms + 60'000, system_ms());
    auto rest = behind(all.events[i].mark, i + 1).value();
    ASSERT_EQ(rest.events.size(), std::min(i + 1, 49 - i));
    EXPECT_EQ(rest.events.front(), all.events[i + 1]);
    EXPECT_EQ(rest.last, rest.events.back().mark);
  }
  EXPECT_EQ(all.last, newest());
  EXPECT_EQ(behind(all.last).value().last, all.last);
  EXPECT_EQ(behind(all.last + 1), std::nullopt) << "a mark that the log never gave";
  EXPECT_EQ(behind(1), std::nullopt);
}

TEST_F(Events, OfAnErasedCustomerTellThatTheCommentsAreGone) {
  open();
  keep();
  CustomerHash customer{{9}};
  for (std::uint64_t i = 0; i < 4; ++i) {
    auto comment = one(i);
    if (i < 2) comment.customer = customer;
    insert(comment);
  }
  auto before = behind({}).value().events.at(1).mark;
  ASSERT_TRUE(wait(store_->vote(one(3).id, customer, Vote::helpful)));
  auto erased = wait(store_->erase(customer, false));
  EXPECT_EQ(erased.removed.comments, 2u);
  EXPECT_EQ(erased.removed.told, 2u);
  Told left = {"comment.published 2 new", "comment.published 3 new", "comment.voted 3",
               "comment.removed 0",       "comment.removed 1",       "comment.voted 3",
               "customer.erased"};
  EXPECT_EQ(told(), left) << "from the beginning";
  mark_ = before;
  EXPECT_EQ(told(), left) << "behind an event that is told no more";
}

TEST_F(Events, OfAnErasureThatKeepsRatingsTellOfAChange) {
  open();
  keep();
  auto comment = one(1);
  comment.customer = CustomerHash{{9}};
  insert(comment);
  auto erased = wait(store_->erase(*comment.customer, true));
  EXPECT_EQ(erased.removed.told, 1u);
  EXPECT_EQ(told(), (Told{"comment.published 1 new", "comment.changed 1", "customer.erased"}));
}

TEST_F(Events, WakeThoseWhoWait) {
  open();
  keep();
  auto stroke = store_->event_bell().next();
  std::thread other([&] { insert(one(1)); });
  auto woken =
      wait(Bell::Stroke::wait(stroke, std::chrono::steady_clock::now() + std::chrono::seconds(60)));
  other.join();
  EXPECT_EQ(woken, true);
  auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  EXPECT_EQ(wait(Bell::Stroke::wait(store_->event_bell().next(), soon)), std::nullopt);
}

TEST_F(Events, ARepairBeginsTheLogAnew) {
  open();
  keep();
  insert(one(1));
  told();
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(behind(mark_), std::nullopt) << "it may have set comments aside";
  mark_ = {};
  EXPECT_EQ(told(), Told{});
  insert(one(2));
  EXPECT_EQ(told(), Told{"comment.published 2 new"});
}

// A transaction with a log of small bounds.
class SmallLog : public testing::Test {
 protected:
  void with(EventBounds bounds, const std::function<void(EventLog&)>& work) {
    lmdb::WriteTransaction txn(*databases_->environment);
    EventLog log(*databases_, txn, bounds);
    work(log);
    log.write();
    txn.commit();
  }
  static void add(EventLog& log, std::uint64_t count, bool imported) {
    for (std::uint64_t i = 0; i < count; ++i)
      log.add(EventType::published, comment_at(1000, i, "en", 5), true, imported);
  }
  std::vector<EventMark> marks() {
    lmdb::ReadTransaction txn(*databases_->environment);
    std::vector<EventMark> out;
    for (const auto& entry : lmdb::Entries(txn, databases_->events))
      out.push_back(get_u64(entry.key().data()));
    return out;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Databases> databases_ = open_databases(directory_.path(), Access::write).value();
};

TEST_F(SmallLog, ForgetsTheOldestEventsBeyondItsBound) {
  EventBounds bounds{.rows = 10};
  with(bounds, [](EventLog& log) { log.keep(true); });
  EventMark before = 0;
  for (int i = 0; i < 30; ++i) {
    with(bounds, [](EventLog& log) { add(log, 1, false); });
    auto now = marks();
    ASSERT_EQ(now.size(), std::min<std::size_t>(i + 2, 10));
    EXPECT_GT(now.back(), before);
    before = now.back();
  }
  with(bounds, [](EventLog& log) { add(log, 25, false); });
  EXPECT_EQ(marks().size(), 10u);
}

TEST_F(SmallLog, AnImportBeyondItsBoundBeginsItAnew) {
  EventBounds bounds{.rows = 10};
  with(bounds, [](EventLog& log) { log.keep(true); });
  with(bounds, [](EventLog& log) { add(log, 9, true); });
  auto before = marks();
  ASSERT_EQ(before.size(), 10u);
  with(bounds, [](EventLog& log) { add(log, 1, true); });
  auto now = marks();
  ASSERT_EQ(now.size(), 1u);
  EXPECT_GT(now.front(), before.back()) << "no reader has this mark";
  with(bounds, [](EventLog& log) { add(log, 11, true); });
  EXPECT_EQ(marks().size(), 1u);
  EXPECT_GT(marks().front(), now.front());
}

TEST_F(SmallLog, ForgetsWhatIsTooOldButTheNewest) {
  EventBounds at_once{.ms = 0};
  with({}, [](EventLog& log) { log.keep(true); });
  with({}, [](EventLog& log) { add(log, 5, false); });
  ASSERT_EQ(marks().size(), 6u);
  with(at_once, [](EventLog& log) { add(log, 1, false); });
  EXPECT_EQ(marks().size(), 1u);
  with(at_once, [](EventLog&) {});
  EXPECT_EQ(marks().size(), 1u) << "a log that is kept has a mark";
}

TEST_F(SmallLog, GivesNoMarkTwiceThoughItEndsAndBegins) {
  // In one transaction the clock nearly stands still.
  lmdb::WriteTransaction txn(*databases_->environment);
  EventLog log(*databases_, txn);
  for (EventMark i = 0, last = 0; i < 1000; ++i) {
    log.keep(true);
    auto begin = newest_mark(*databases_, txn).value();
    ASSERT_GT(begin, last);
    last = begin;
    log.keep(false);
  }
}

// A table's stream has posts and imports together.
TEST_F(SmallLog, EventsOfAStreamBeyondItsBoundForgetTheOldestAlone) {
  EventBounds bounds{.rows = 10};
  with(bounds, [](EventLog& log) { log.keep(true); });
  for (std::uint64_t count : {9, 1, 25}) {
    auto before = marks();
    with(bounds, [&](EventLog& log) {
      for (std::uint64_t i = 0; i < count; ++i)
        log.add(Event{.time_ms = system_ms(), .imported = true, .id = id_at(1, i)});
    });
    EXPECT_EQ(marks().size(), 10u);
    EXPECT_GT(marks().back(), before.back());
  }
}

TEST_F(SmallLog, MoreThanAThousandAtOnceForgetAsMany) {
  EventBounds bounds{.rows = 10};
  with(bounds, [](EventLog& log) { log.keep(true); });
  with(bounds, [](EventLog& log) { add(log, 5000, false); });
  EXPECT_EQ(marks().size(), 10u);
}

TEST_F(SmallLog, ALastMarkThatIsDamagedIsFoundAndRepaired) {
  with({}, [](EventLog& log) { log.keep(true); });
  with({}, [](EventLog& log) { log.keep(false); });
  EXPECT_EQ(verify(*databases_).differences, 0u);
  {
    lmdb::WriteTransaction txn(*databases_->environment);
    txn.put(databases_->meta.dbi, "last_mark", std::string(12, 'x'));
    txn.commit();
  }
  auto verified = verify(*databases_);
  ASSERT_EQ(verified.differences, 1u);
  EXPECT_EQ(verified.reports.front(), "the last mark of the log of events is damaged");
  with({}, [](EventLog& log) { log.keep(true); });
  EXPECT_EQ(marks().size(), 1u) << "it stops no new log";
  databases_.reset();
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  ASSERT_TRUE(wait(store->rebuild()));
  EXPECT_EQ(verify(store->databases()).differences, 0u);
}

TEST_F(SmallLog, AnEventThatIsDamagedIsFoundAndRepaired) {
  with({}, [](EventLog& log) { log.keep(true); });
  with({}, [](EventLog& log) { add(log, 3, false); });
  EXPECT_EQ(verify(*databases_).differences, 0u);
  auto damaged = marks().at(1);
  {
    lmdb::WriteTransaction txn(*databases_->environment);
    txn.put(databases_->events.dbi, event_key(damaged), std::string(40, 'x'));
    txn.commit();
  }
  auto verified = verify(*databases_);
  ASSERT_EQ(verified.differences, 1u);
  EXPECT_EQ(verified.reports.front(), "an event of the log is damaged");
  auto first = marks().front();
  databases_.reset();
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  auto run = wait(store->view()->event_log()->events(first, 10)).value().value();
  EXPECT_TRUE(run.damaged);
  ASSERT_EQ(run.events.size(), 2u) << "the log is read beyond it";
  EXPECT_EQ(run.last, run.events.back().mark);
  EXPECT_FALSE(wait(Changes(*store).after({.after = first})).value()) << "one event is missing";
  ASSERT_TRUE(wait(store->rebuild()));
  EXPECT_EQ(verify(store->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire::embedded
