// What the courier tells, and when.
#include <gtest/gtest.h>

#include "courier_on_sockets.h"

namespace quire::webhook {
namespace {

TEST_F(CourierTest, TellsWhatComesAfterItsBeginning) {
  events_.add("comment.published");
  start();
  EXPECT_EQ(account().mark, 1u);
  events_.add("comment.published");
  events_.add("comment.voted");
  events_.add("comment.changed");
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
  auto told = ids();
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (std::vector<std::string>{"evt_2", "evt_4"}));
  courier_.reset();
  EXPECT_EQ(account(), (Account{.url = url_print(webhook().url), .mark = 4}));
}

TEST_F(CourierTest, ReadsACommentWhenItIsTold) {
  auto slack = webhook();
  slack.format = Format::slack;
  slack.max_rating = 2;
  webhooks({slack});
  start();
  events_.remove(*events_.add("comment.published", 1).id);
  events_.add("comment.published", 3);
  events_.add("comment.published", 1);
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_NE(server_.requests()[0].body().find("★☆☆☆☆ *Desk lamp*"), std::string::npos);
  EXPECT_EQ(ids(), std::vector<std::string>{"evt_3"});
}

// Another event tells of the comment at its product.
TEST_F(CourierTest, TellsNothingOfACommentThatIsOfAnotherProductSince) {
  start();
  answer("500");
  auto event = events_.add("comment.changed", 1);
  ASSERT_TRUE(soon(failed(1)));
  EXPECT_NE(server_.requests()[0].body().find("\"comment\":{"), std::string::npos);
  events_.move(*event.id, "43");
  answer("200");
  later(6'000);
  ASSERT_TRUE(soon(delivered(1)));
  auto body = server_.requests().back().body();
  EXPECT_EQ(body.find("\"comment\":"), std::string::npos) << body;
  EXPECT_NE(body.find("\"product\":\"42\""), std::string::npos) << body;
}

// What comes from another loop must not come to one that is gone.
TEST_F(CourierTest, EndsAfterWhatItAsksATable) {
  LoopThread table;
  events_.read_on(table);
  for (bool asks_of_ratings : {false, true}) {
    auto copy = webhook();
    if (asks_of_ratings) copy.max_rating = 2;
    webhooks({copy});
    start();
    for (int i = 0; i < 4; ++i) events_.add("comment.published", 1);
    ASSERT_TRUE(soon([this] { return events_.reading() > 0; }));
    courier_.reset();
    EXPECT_EQ(events_.reading(), 0);
  }
}

TEST_F(CourierTest, AnEventThatFailsKeepsNoOtherBack) {
  start();
  answer("500");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  for (int i = 0; i < 20; ++i) events_.add("comment.changed");
  answer("200", 20);
  ASSERT_TRUE(soon(delivered(20)));
  EXPECT_EQ(server_.requests().size(), 21u);
  later(6'000);
  answer("200");
  ASSERT_TRUE(soon(delivered(21)));
  EXPECT_EQ(ids().back(), "evt_1") << "with the same id";
}

TEST_F(CourierTest, TheNextOneTellsWhatIsOwed) {
  start();
  answer("500", 2);
  events_.add("comment.published");
  events_.add("comment.changed");
  ASSERT_TRUE(soon(failed(2)));
  again();
  later(6'000);
  events_.add("comment.replied");
  answer("200", 3);
  ASSERT_TRUE(soon(delivered(3)));
}

TEST_F(CourierTest, WhatWasSentWithoutAnAnswerIsSentAgain) {
  start();
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return server_.requests().size() == 1; }));
  again();
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), (std::vector<std::string>{"evt_1", "evt_1"}));
}

TEST_F(CourierTest, EndsAtA410AndBeginsAgainWhenItIsAsked) {
  start();
  answer("410");
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return counts().ended == 1; }));
  events_.add("comment.published");
  again();
  EXPECT_NE(account().ended_ms, 0u);
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", {}}));
  ASSERT_TRUE(soon([this] { return account().ended_ms == 0; }));
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids(), (std::vector<std::string>{"evt_1", "evt_3"}));
}

TEST_F(CourierTest, AnotherAddressBeginsAgain) {
  start();
  answer("410");
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return counts().ended == 1; }));
  auto other = webhook();
  other.url += "other";
  webhooks({other});
  ASSERT_TRUE(soon([this] { return account().ended_ms == 0; }));
  events_.add("comment.published");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
}

TEST_F(CourierTest, GivesUpAfterThreeDays) {
  start();
  events_.add("comment.published");
  int tries = 0;
  for (; counts().given_up == 0 && tries < 100; ++tries) {
    answer("500");
    ASSERT_TRUE(soon(failed(static_cast<std::uint64_t>(tries) + 1)));
    later(std::chrono::milliseconds(wait_after(static_cast<unsigned>(tries) + 1, 1)).count());
  }
  EXPECT_GE(tries, 12);
  EXPECT_LE(tries, 15);
  courier_.reset();
  EXPECT_TRUE(account().owed.empty());
}

TEST_F(CourierTest, RestsAsLongAsTheReceiverAsks) {
  start();
  server_.answers("HTTP/1.1 503 x\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  events_.add("comment.changed");
  later(99'000);
  ASSERT_TRUE(soon([this] { return account().owed.size() == 2; }));
  EXPECT_EQ(server_.requests().size(), 1u);
  later(2'000);
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
}

// Waiting times are times of day, of which a machine may learn late that they were wrong.
TEST_F(CourierTest, GoesOnWhereTheClockIsSetBack) {
  start();
  server_.answers("HTTP/1.1 503 x\r\nRetry-After: 100\r\nContent-Length: 0\r\n\r\n");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  now_ms_ -= std::uint64_t{365} * 86'400'000;
  events_.add("comment.changed");
  answer("200", 2);
  ASSERT_TRUE(soon([this] {
    later(1'000);
    return delivered(2)();
  }));
}

TEST_F(CourierTest, AnotherAddressDoesNotRestForTheFormerOne) {
  start();
  server_.answers("HTTP/1.1 503 x\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(1)));
  auto other = webhook();
  other.url += "other";
  webhooks({other});
  events_.add("comment.changed");
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids().back(), "evt_2");
}

// The answer to a message that was under way when the address changed.
TEST_F(CourierTest, AFormerAddressDoesNotEndThePresentOne) {
  start();
  server_.hold(2);
  answer("410");
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return server_.requests().size() == 1; }));
  ScriptedServer present(loop_.context());
  present.answers("HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n");
  auto other = webhook();
  other.url = "http://127.0.0.1:" + present.port() + "/";
  webhooks({other});
  events_.add("comment.changed");
  ASSERT_TRUE(soon(delivered(1)));
  server_.release();
  ASSERT_TRUE(soon(failed(1)));
  EXPECT_EQ(counts().ended, 0u);
}

TEST_F(CourierTest, SkipsAndTriesAgainWhatIsUnderWay) {
  start();
  server_.hold(2);
  answer("500", 2);
  events_.add("comment.published");
  ASSERT_TRUE(soon([this] { return server_.requests().size() == 1; }));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", "evt_1"}));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", "evt_1"}));
  ASSERT_TRUE(soon(failed(2)));
  later(3'600'000);
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(1)));
  later(3'600'000);
  events_.add("comment.changed");
  ASSERT_TRUE(soon(delivered(2)));
  EXPECT_EQ(ids(), (std::vector<std::string>{"evt_1", "evt_1", "evt_1", "evt_2"}));
}

TEST_F(CourierTest, AWebhookThatComesAfterADamagedLedgerIsNew) {
  std::ofstream(ledger_) << "x";
  events_.add("comment.published");
  answer("200", 2);
  start();
  ASSERT_TRUE(soon(delivered(1)));
  auto newer = webhook();
  newer.name = "newer";
  webhooks({newer});
  ASSERT_TRUE(soon([this] { return read_ledger(ledger_)->contains("newer"); }));
  events_.add("comment.changed");
  ASSERT_TRUE(soon([this] { return ids().size() == 2; }));
  EXPECT_EQ(ids().back(), "evt_2");
}

TEST_F(CourierTest, DoesWhatTheOperatorAsks) {
  start();
  answer("500", 2);
  events_.add("comment.published");
  events_.add("comment.published");
  ASSERT_TRUE(soon(failed(2)));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::skip, "copy", "evt_1"}));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", {}}));
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "none", {}}));
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids().back(), "evt_2");
  ASSERT_TRUE(leave_ask(asks_, {Ask::Deed::retry, "copy", "evt_1"}));
  answer("200");
  ASSERT_TRUE(soon(delivered(2)));
  EXPECT_EQ(ids().back(), "evt_1") << "the log has it still";
}

TEST_F(CourierTest, TellsAllAgainWhereItsLedgerIsDamaged) {
  start();
  answer("200", 2);
  events_.add("comment.published");
  events_.add("comment.changed");
  ASSERT_TRUE(soon(delivered(2)));
  courier_.reset();
  std::ofstream(ledger_, std::ios::app) << "x";
  start();
  answer("200", 2);
  ASSERT_TRUE(soon(delivered(2)));
  EXPECT_TRUE(std::filesystem::exists(ledger_ + ".damaged"));
}

// It may be whole.
TEST_F(CourierTest, DoesNotBeginWhereItsLedgerCannotBeRead) {
  std::filesystem::create_directory(ledger_);
  EXPECT_THROW(start(), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_directory(ledger_));
}

TEST_F(CourierTest, GoesOnWhereTheLogBeginsLater) {
  start();
  answer("200");
  events_.add("comment.published");
  ASSERT_TRUE(soon(delivered(1)));
  courier_.reset();
  for (int i = 0; i < 3; ++i) events_.add("comment.published");
  events_.forget(3);
  start();
  answer("200");
  ASSERT_TRUE(soon(delivered(1)));
  EXPECT_EQ(ids().back(), "evt_4");
}

}  // namespace
}  // namespace quire::webhook
