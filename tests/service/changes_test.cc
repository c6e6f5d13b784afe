// Events with their comments as they stand when they are told, and waiting for the first.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "http/application/empty_store.h"
#include "loop/loop.h"
#include "service/changes.h"
#include "store/embedded/store.h"
#include "store/event_log.h"
#include "store/support.h"

namespace quire {
namespace {

using namespace std::chrono_literals;
using embedded::LmdbStore;

class ChangesOfAStore : public testing::Test {
 protected:
  ChangesOfAStore() { begin_ = wait(changes_.newest()).value(); }

  Comment insert(std::uint64_t number, std::string product = "42", std::string text = "Well.") {
    auto comment = comment_at(1000 + number, number, "en", 5, std::move(product));
    comment.text = std::move(text);
    EXPECT_TRUE(wait(store_->insert(comment, {})));
    return comment;
  }
  FoundChanges ask(ChangesQuestion question) {
    if (!question.after) question.after = begin_;
    return wait(changes_.after(std::move(question))).value().value();
  }
  static Deadline later(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_ = LmdbStore::open(directory_.path(), Access::write).value();
  Changes changes_{*store_};
  EventMark begin_ = 0;
};

TEST_F(ChangesOfAStore, TellTheCommentAsItStands) {
  auto kept = insert(1), gone = insert(2);
  ASSERT_TRUE(wait(store_->update(kept.id, {.text = "Better."})));
  ASSERT_TRUE(wait(store_->remove(gone.id)));
  auto found = ask({});
  ASSERT_EQ(found.told.size(), 4u);
  EXPECT_EQ(found.told[0].event.type, EventType::published);
  EXPECT_EQ(found.told[0].comment.value().text, "Better.");
  EXPECT_EQ(found.told[1].event.id, gone.id);
  EXPECT_EQ(found.told[1].comment, std::nullopt) << "nothing of it is told any more";
  EXPECT_EQ(found.told[3].event.type, EventType::removed);
  EXPECT_EQ(found.last, wait(changes_.newest()).value());
}

TEST_F(ChangesOfAStore, AreOfTheProductsThatWereAskedFor) {
  std::vector<Ulid> expected;
  for (std::uint64_t i = 0; i < 40; ++i) {
    auto id = insert(i, i % 4 ? "other" : "shop/" + std::to_string(i)).id;
    if (i % 4 == 0) expected.push_back(id);
  }
  std::vector<Ulid> ids;
  ChangesQuestion question{.products = "shop/", .limit = 3};
  for (int answers = 0; question.after != wait(changes_.newest()).value(); ++answers) {
    ASSERT_LT(answers, 10) << "the mark goes on, though the last events are of others";
    auto found = ask(question);
    for (const auto& each : found.told) ids.push_back(each.event.id);
    question.after = found.last;
  }
  EXPECT_EQ(ids, expected);
}

// More than one look takes, and twice: nothing is waited for between them.
TEST_F(ChangesOfAStore, AreFoundBehindManyOfOthers) {
  std::vector<Comment> others;
  for (std::uint64_t i = 0; i < 2 * Changes::max_looked_at + 100; ++i)
    others.push_back(comment_at(1000 + i, i, "en", 5, "other"));
  ASSERT_TRUE(wait(store_->insert_many(std::move(others))));
  auto own = insert(900'000, "shop/1");
  auto found = ask({.products = "shop/", .until = later(30s)});
  ASSERT_EQ(found.told.size(), 1u);
  EXPECT_EQ(found.told[0].event.id, own.id);
}

TEST_F(ChangesOfAStore, OfAProductThatHasMovedTellNothingOfWhatItsCommentsAreNow) {
  auto mark = wait(changes_.newest()).value();
  auto comment = insert(1, "former");
  ASSERT_TRUE(wait(store_->successors()->move("former", "present")));
  auto former = ask({.after = mark, .products = "former"});
  ASSERT_EQ(former.told.size(), 2u);
  EXPECT_EQ(former.told[0].event.type, EventType::published);
  EXPECT_EQ(former.told[1].event.type, EventType::removed);
  for (const auto& each : former.told) EXPECT_FALSE(each.comment);
  auto present = ask({.after = mark, .products = "present"});
  ASSERT_EQ(present.told.size(), 1u);
  EXPECT_EQ(present.told[0].comment->product, "present");
  EXPECT_EQ(present.told[0].comment->id, comment.id);
}

TEST_F(ChangesOfAStore, EndAnAnswerOfLongTextsEarly) {
  for (std::uint64_t i = 0; i < 40; ++i) insert(i, "42", std::string(50'000, 'x'));
  auto first = ask({});
  EXPECT_EQ(first.told.size(), Changes::max_text / 50'000 + 1);
  EXPECT_EQ(first.last, first.told.back().event.mark);
  EXPECT_EQ(ask({.after = first.last}).told.size(), 40 - first.told.size());
}

TEST_F(ChangesOfAStore, OfAMarkThatTheLogLacksAreAbsent) {
  EXPECT_FALSE(wait(changes_.after({.after = begin_ + 1})).value());
  ASSERT_TRUE(wait(changes_.keep(false)));
  EXPECT_FALSE(wait(changes_.after({.after = begin_, .until = later(60s)})).value())
      << "nobody waits for it";
  EXPECT_NE(wait(changes_.newest()).value(), begin_);
}

TEST_F(ChangesOfAStore, AreWaitedForUntilTheFirstOrTheDeadline) {
  auto none = ask({.until = later(5ms)});
  EXPECT_TRUE(none.told.empty());
  EXPECT_EQ(none.last, begin_);
  std::jthread writer([this] {
    insert(1, "other");
    insert(2, "shop/2");
  });
  auto found = ask({.products = "shop/", .until = later(60s)});
  ASSERT_EQ(found.told.size(), 1u);
  EXPECT_EQ(found.told.front().event.product, "shop/2");
}

// A store to which an event comes in the moment in which a reader begins to listen.
class BusyStore : public http::EmptyStore, public EventPort {
 public:
  BusyStore(LmdbStore& store, std::function<void()> insert)
      : store_(store), insert_(std::move(insert)) {}

  std::unique_ptr<View> view() override { return store_.view(); }
  EventPort* event_log() override { return this; }
  Awaitable<Status> keep_events(bool kept) override { return store_.keep_events(kept); }
  Bell& event_bell() override {
    std::thread(std::exchange(insert_, [] {})).join();
    return store_.event_bell();
  }

 private:
  LmdbStore& store_;
  std::function<void()> insert_;
};

// A reader that looked before it listened would miss it, and wait to its deadline.
TEST_F(ChangesOfAStore, ThatComeWhileAReaderBeginsAreNotMissed) {
  BusyStore store(*store_, [this] { insert(1); });
  auto deadline = later(20s);
  auto found = wait(Changes(store).after({.after = begin_, .until = deadline})).value().value();
  EXPECT_EQ(found.told.size(), 1u);
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST_F(ChangesOfAStore, AreWaitedForByALimitedNumberOfReaders) {
  constexpr std::size_t too_many = 3;
  std::size_t refused = 0;
  auto until = later(60s);
  auto read = [&]() -> Awaitable<bool> {
    ChangesQuestion question{.after = begin_, .until = until};
    auto found = co_await changes_.after(std::move(question));
    bool busy = !found && found.error().code == ErrorCode::unavailable;
    refused += busy;
    co_return !busy;
  };
  auto stop = [&]() -> Awaitable<bool> {
    while (refused < too_many && std::chrono::steady_clock::now() < until) co_await pause(1ms);
    changes_.stop();
    co_return true;
  };
  std::vector<Awaitable<bool>> works;
  for (std::size_t i = 0; i < Changes::max_waiting + too_many; ++i) works.push_back(read());
  works.push_back(stop());
  auto answered = wait(all(std::move(works)));
  auto whole = std::count(answered.begin(), answered.end(), true);
  EXPECT_EQ(static_cast<std::size_t>(whole), Changes::max_waiting + 1);
}

TEST_F(ChangesOfAStore, AreNotWaitedForOnceItStops) {
  std::jthread stop([this] { changes_.stop(); });
  EXPECT_TRUE(ask({.until = later(60s)}).told.empty());
  EXPECT_TRUE(ask({.until = later(60s)}).told.empty()) << "it has stopped";
}

}  // namespace
}  // namespace quire
