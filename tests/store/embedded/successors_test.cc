// Products that move: their comments, beside a model of them; what is written for them afterwards;
// moves that were cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/limits.h"
#include "base/rounds.h"
#include "loop/loop.h"
#include "model/document.h"
#include "store/customer_view.h"
#include "store/embedded/format/rows.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/moderation_view.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Successors : public testing::Test {
 protected:
  void open() {
    store_.reset();
    store_ = LmdbStore::open(directory_.path(), Access::write).value();
  }
  void SetUp() override { open(); }
  void TearDown() override {
    auto verified = verify(store_->databases());
    EXPECT_EQ(verified.differences, 0u) << (verified.reports.empty() ? "" : verified.reports[0]);
  }

  static Comment one(std::uint64_t number, std::string product,
                     CommentStatus status = CommentStatus::published) {
    auto comment = comment_at(1000 + number, number, number % 3 ? "en" : "de",
                              1 + static_cast<int>(number % 5), std::move(product));
    comment.moderation.status = status;
    if (status == CommentStatus::pending) comment.moderation.held_ms = 4000;
    if (status == CommentStatus::rejected) comment.moderation.reason = "spam";
    return comment;
  }
  Result<std::string> insert(const Comment& comment, CustomerTerms terms = {}) {
    return wait(store_->insert(comment, {}, terms));
  }
  Moved move(const std::string& from, const std::string& to) {
    return wait(store_->move(from, to)).value();
  }
  Comment found(std::uint64_t number) {
    return wait(store_->view()->find(one(number, "").id)).value();
  }
  // The ids of a product's published comments, oldest first.
  std::vector<Ulid> listed(const std::string& product) {
    auto view = store_->view();
    auto slice = wait(view->comments(product, Order::oldest_first, {}, 100'000)).value();
    std::vector<Ulid> ids;
    for (const auto& entry : slice.entries) ids.push_back(entry.id);
    return ids;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<LmdbStore> store_;
};

TEST_F(Successors, CommentsOfAnyStatusMoveWithAllThatHangsOnThem) {
  CustomerHash writer{{1}}, voter{{2}};
  auto published = one(1, "a"), pending = one(2, "a", CommentStatus::pending),
       rejected = one(3, "a", CommentStatus::rejected), other = one(4, "b");
  published.customer = pending.customer = writer;
  published.media = {{.url = "https://shop.example/a.jpg"}};
  published.reply = Reply{"Shop", "Thanks.", 5000};
  for (const auto& each : {published, pending, rejected, other}) ASSERT_TRUE(insert(each));
  ASSERT_TRUE(wait(store_->vote(published.id, voter, Vote::helpful)));
  ASSERT_TRUE(wait(store_->report(published.id, {{7}, 6000, "spam", ""}, 0)));
  ASSERT_TRUE(wait(store_->put_facts({{"a", {.name = "Lamp"}}, {"b", {.name = "Light"}}})));
  auto before = found(1);
  auto moved = move("a", "b");
  EXPECT_EQ(moved.comments, 3u);
  EXPECT_FALSE(moved.more);
  EXPECT_EQ(store_->successor("a"), "b");
  EXPECT_EQ(store_->successor("b"), std::nullopt);
  before.product = "b";
  EXPECT_EQ(found(1), before) << "with its reply, pictures and count of votes";
  pending.product = rejected.product = "b";
  EXPECT_EQ(found(2).moderation, pending.moderation);
  EXPECT_EQ(found(3), rejected);
  EXPECT_EQ(listed("a"), std::vector<Ulid>{});
  EXPECT_EQ(listed("b"), (std::vector{published.id, other.id}));
  auto view = store_->view();
  auto* customers = view->customers();
  EXPECT_EQ(wait(customers->written_by(writer, {}, 10))->comments.size(), 2u);
  EXPECT_EQ(wait(customers->votes_by(voter))->size(), 1u);
  auto reported = wait(view->moderation()->queue({.kind = QueueQuestion::Kind::reported})).value();
  ASSERT_EQ(reported.rows.size(), 1u);
  EXPECT_EQ(reported.rows[0].reports.size(), 1u);
  auto facts = wait(view->facts({"a", "b"})).value();
  EXPECT_FALSE(facts[0]);
  EXPECT_EQ(facts[1]->name, "Light");
  ASSERT_TRUE(wait(store_->vote(published.id, voter, {})));
}

TEST_F(Successors, WhatIsWrittenForAProductThatHasMovedIsItsSuccessors) {
  ASSERT_TRUE(insert(one(1, "a")));
  EXPECT_EQ(move("a", "b").comments, 1u);
  ASSERT_TRUE(insert(one(2, "a")));
  EXPECT_EQ(found(2).product, "b");
  auto imported = wait(store_->import_rows({{one(1, "a")}, {one(2, "a")}, {one(3, "a")}})).value();
  EXPECT_EQ(imported.known, 2u);
  EXPECT_EQ(imported.added, 1u);
  EXPECT_EQ(wait(store_->import_rows({{one(3, "a")}, {one(1, "b")}})).value().known, 2u);
  EXPECT_EQ(found(3).product, "b");
  EXPECT_EQ(wait(store_->put_facts({{"a", {.name = "Lamp"}}})).value(), 0u);
  EXPECT_FALSE(wait(store_->view()->facts({"a"})).value()[0]);
  EXPECT_EQ(listed("a"), std::vector<Ulid>{});
}

TEST_F(Successors, OneOfTwoCommentsOfACustomerBlocksAThird) {
  CustomerHash writer{{1}};
  auto first = one(1, "a"), second = one(2, "b"), third = one(3, "b"), fourth = one(4, "a");
  for (auto* each : {&first, &second, &third, &fourth}) each->customer = writer;
  ASSERT_TRUE(insert(first, {.once = true}));
  ASSERT_TRUE(insert(second, {.once = true}));
  move("a", "b");
  EXPECT_EQ(listed("b").size(), 2u) << "both stay";
  EXPECT_EQ(insert(third, {.once = true}).error().code, ErrorCode::already_written);
  EXPECT_EQ(insert(fourth, {.once = true}).error().code, ErrorCode::already_written);
  ASSERT_TRUE(wait(store_->remove(second.id)));
  EXPECT_EQ(insert(third, {.once = true}).error().comment, first.id.text());
  ASSERT_TRUE(wait(store_->remove(first.id)));
  EXPECT_TRUE(insert(fourth, {.once = true}));
}

// Before its comments were brought, too.
TEST_F(Successors, ACommentOfACustomerThatWasNotBroughtBlocksAnother) {
  CustomerHash writer{{1}};
  auto first = one(1, "a"), second = one(2, "b"), third = one(3, "a");
  for (auto* each : {&first, &second, &third}) each->customer = writer;
  ASSERT_TRUE(insert(first, {.once = true}));
  {
    lmdb::WriteTransaction txn(*store_->databases().environment);
    Edit edit(store_->databases(), txn);
    EXPECT_EQ(edit.mark_moved("a", "b").refused, "");
    edit.finish();
    txn.commit();
  }
  for (auto* each : {&second, &third})
    EXPECT_EQ(insert(*each, {.once = true}).error().comment, first.id.text());
  auto view = store_->view();
  EXPECT_EQ(wait(view->customers()->first_of(writer, "b")).value(), first.id);
  move("a", "b");
}

TEST_F(Successors, AChainLeadsToItsEndAndACircleIsRefused) {
  for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(insert(one(i, std::string(1, "abc"[i]))));
  EXPECT_EQ(move("a", "b").comments, 1u);
  EXPECT_EQ(move("b", "c").comments, 2u);
  EXPECT_EQ(store_->successor("a"), "c");
  EXPECT_EQ(store_->successor("b"), "c");
  EXPECT_EQ(listed("c").size(), 3u);
  for (const auto* to : {"a", "b"})
    EXPECT_NE(move("c", to).refused.find("lead to each other"), std::string::npos);
  EXPECT_NE(move("a", "d").refused.find("has moved to product c already"), std::string::npos);
  for (const auto* to : {"b", "c"}) {
    EXPECT_EQ(move("a", to).refused, "") << "the same as it is";
    EXPECT_EQ(move("a", to).comments, 0u);
  }
  EXPECT_EQ(move("d", "a").refused, "") << "to the end of the chain, without comments, too";
  EXPECT_EQ(store_->successor("d"), "c");
  open();
  EXPECT_EQ(store_->successor("a"), "c");
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(store_->successor("a"), "c") << "a repair leaves it";
}

TEST_F(Successors, AProductTakesNoMoreLanguagesThanItMayHave) {
  auto fill = [&](const std::string& product, std::uint64_t from, std::size_t count) {
    std::vector<Comment> comments;
    for (std::size_t i = 0; i < count; ++i) {
      comments.push_back(one(from + i, product));
      comments.back().language = {static_cast<char>('a' + (from + i) / 26 % 26),
                                  static_cast<char>('a' + (from + i) % 26), 'x'};
    }
    ASSERT_TRUE(wait(store_->insert_many(comments)));
  };
  fill("a", 0, limits::product_languages / 2);
  fill("b", limits::product_languages / 2 - 1, limits::product_languages / 2 + 1);
  fill("c", 1000, 2);
  EXPECT_EQ(move("a", "b").refused, "");
  EXPECT_NE(move("b", "c").refused.find("languages"), std::string::npos);
  EXPECT_EQ(store_->successor("b"), std::nullopt);
}

// The mark is written first, and a comment that changes meanwhile moves in the same transaction.
TEST_F(Successors, AMoveThatWasCutOffGoesOn) {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 30; ++i)
    comments.push_back(one(i, "a", i % 3 ? CommentStatus::published : CommentStatus::pending));
  ASSERT_TRUE(wait(store_->insert_many(comments)));
  {
    lmdb::WriteTransaction txn(*store_->databases().environment);
    Edit edit(store_->databases(), txn);
    EXPECT_EQ(edit.mark_moved("a", "b").refused, "");
    EXPECT_EQ(edit.bring({comments[1].id, comments[3].id, one(99, "a").id}), 2u);
    edit.finish();
    txn.commit();
  }
  open();
  EXPECT_EQ(found(1).product, "b");
  EXPECT_EQ(found(2).product, "a");
  Patch decision{.status = CommentStatus::published};
  auto moderate = [](const Comment&, Comment& after) -> Status {
    after.moderation = {};
    return Done{};
  };
  auto edited = wait(store_->update(comments[6].id, decision, {}, moderate)).value();
  EXPECT_EQ(decode_document(edited.after)->product, "b");
  EXPECT_EQ(found(6).product, "b");
  ASSERT_TRUE(wait(store_->report(comments[4].id, {{7}, 6000, "spam", ""}, 1)));
  EXPECT_EQ(found(4).product, "b");
  EXPECT_EQ(found(4).moderation.status, CommentStatus::pending);
  EXPECT_EQ(move("a", "b").comments, 26u);
  EXPECT_EQ(move("a", "b").comments, 0u);
  for (std::uint64_t i = 0; i < 30; ++i) EXPECT_EQ(found(i).product, "b");
}

TEST_F(Successors, ACallMovesABoundedNumber) {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 20'300; ++i)
    comments.push_back(one(i, "a", i % 2 ? CommentStatus::published : CommentStatus::rejected));
  ASSERT_TRUE(wait(store_->insert_many(comments)));
  auto first = move("a", "b");
  EXPECT_TRUE(first.more);
  EXPECT_EQ(first.comments, 20'000u);
  auto second = move("a", "b");
  EXPECT_FALSE(second.more);
  EXPECT_EQ(second.comments, 300u);
}

TEST_F(Successors, ReadersOfTheLogLearnThatACommentIsAnothersNow) {
  ASSERT_TRUE(insert(one(1, "a")));
  ASSERT_TRUE(wait(store_->keep_events(true)));
  auto view = store_->view();
  auto mark = view->event_log()->newest_event();
  move("a", "b");
  auto run = wait(store_->view()->event_log()->events(mark, 10)).value().value();
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].type, EventType::removed);
  EXPECT_EQ(run.events[0].product, "a");
  EXPECT_EQ(run.events[1].type, EventType::changed);
  EXPECT_EQ(run.events[1].product, "b");
}

// Such a reader sees no event of the product that has it now.
TEST_F(Successors, AnErasureLeavesThemWhatTellsThatACommentIsGone) {
  auto comment = one(1, "a");
  comment.customer = CustomerHash{{7}};
  ASSERT_TRUE(wait(store_->keep_events(true)));
  auto mark = store_->view()->event_log()->newest_event();
  ASSERT_TRUE(insert(comment));
  move("a", "b");
  ASSERT_FALSE(wait(store_->erase(CustomerHash{{7}}, false)).failed);
  auto run = wait(store_->view()->event_log()->events(mark, 10)).value().value();
  std::vector<std::pair<EventType, std::string>> told;
  for (const auto& event : run.events) told.emplace_back(event.type, event.product);
  EXPECT_EQ(told,
            (std::vector<std::pair<EventType, std::string>>{
                {EventType::removed, "a"}, {EventType::removed, "b"}, {EventType::erased, ""}}));
}

// A comment that cannot be read stays, and what was done is told all the same.
TEST_F(Successors, AMoveThatEndsEarlySaysWhatItMoved) {
  for (std::uint64_t i = 1; i <= 2; ++i) ASSERT_TRUE(insert(one(i, "a")));
  {
    const auto& db = store_->databases();
    lmdb::WriteTransaction txn(*db.environment);
    txn.put(db.comments.dbi, lmdb::keys_under(txn, db.comments, {}, 1).at(0), "bad seal");
    txn.commit();
  }
  auto moved = move("a", "b");
  EXPECT_EQ(moved.comments, 1u);
  ASSERT_TRUE(moved.failed);
  EXPECT_EQ(moved.failed->code, ErrorCode::damaged);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_FALSE(move("a", "b").failed);
}

// Beside a plain model: a map of comments, and one of products that have moved.
TEST_F(Successors, RandomDeedsLeaveWhatAModelHas) {
  std::mt19937 random(7);
  auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  const std::vector<std::string> products = {"a", "b", "c", "d", "e", "f"};
  ASSERT_TRUE(wait(store_->add_words()));
  std::map<Ulid, Comment> model;
  std::map<std::string, std::string> moved;
  auto present = [&](std::string name) {
    while (moved.contains(name)) name = moved.at(name);
    return name;
  };
  auto any = [&] {
    return std::next(model.begin(), static_cast<std::ptrdiff_t>(below(model.size())));
  };
  const CommentStatus statuses[] = {CommentStatus::published, CommentStatus::pending,
                                    CommentStatus::rejected};
  const auto steps = static_cast<std::uint64_t>(rounds(600));
  for (std::uint64_t step = 0; step < steps; ++step) {
    auto deed = below(100);
    if (deed < 60 || model.empty()) {
      auto comment = one(step, products[below(6)], statuses[below(6) < 4 ? 0 : 1 + below(2)]);
      comment.text = below(2) ? "It zips well." : "A lamp.";
      ASSERT_TRUE(insert(comment));
      comment.product = present(comment.product);
      model[comment.id] = comment;
    } else if (deed < 75) {
      auto at = any();
      Patch patch{.rating = 1 + static_cast<int>(below(5)), .text = "It zips."};
      ASSERT_TRUE(wait(store_->update(at->first, patch)));
      at->second.rating = *patch.rating;
      at->second.text = *patch.text;
    } else if (deed < 90) {
      auto at = any();
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model.erase(at);
    } else if (step % 10 == 0) {
      auto from = products[below(6)], to = products[below(6)];
      if (from == to) continue;
      auto refused = !move(from, to).refused.empty();
      bool done = moved.contains(from) && present(to) == present(from);
      EXPECT_EQ(refused, present(to) == from || (moved.contains(from) && !done));
      if (refused || done) continue;
      for (auto& [id, comment] : model)
        if (comment.product == from) comment.product = present(to);
      moved[from] = present(to);
    }
  }
  auto view = store_->view();
  for (const auto& product : products) {
    std::vector<Ulid> ids;
    RatingCounts ratings{};
    for (const auto& [id, comment] : model) {
      EXPECT_EQ(wait(view->find(id))->product, comment.product);
      if (comment.product != product || !comment.published()) continue;
      ids.push_back(id);
      ++ratings[static_cast<std::size_t>(comment.rating - 1)];
    }
    EXPECT_EQ(listed(product), ids) << product;
    RatingCounts counted{};
    auto counts = wait(view->counts(product)).value();
    for (const auto& row : counts.rows()) counted[row.cell[rating_facet] - 1] += row.comments;
    EXPECT_EQ(counted, ratings) << product;
    EXPECT_EQ(store_->successor(product).value_or(product), present(product));
  }
}

// As docs/formats/store.md has it.
TEST_F(Successors, ARowIsInMetaUnderTheProduct) {
  move("42", "43");
  lmdb::ReadTransaction txn(*store_->databases().environment);
  EXPECT_EQ(txn.find(store_->databases().meta, "successor:42"), "43");
}

TEST_F(Successors, ADamagedRowIsReportedAndRemovedByARepair) {
  move("a", "b");
  {
    lmdb::WriteTransaction txn(*store_->databases().environment);
    txn.put(store_->databases().meta.dbi, successor_key("a"), "bad seal");
    txn.commit();
  }
  auto verified = verify(store_->databases());
  EXPECT_EQ(verified.differences, 1u);
  EXPECT_EQ(store_->successor("a"), std::nullopt);
  EXPECT_EQ(insert(one(1, "a")).error().code, ErrorCode::damaged);
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_TRUE(insert(one(1, "a")));
}

}  // namespace
}  // namespace quire::embedded
