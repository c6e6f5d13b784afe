// After an erasure and compacting, no byte of the store is a person's. An erasure that is killed
// goes on when it is asked for again.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <thread>

#include "bytes.h"
#include "loop/loop.h"
#include "model/document.h"
#include "process.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class Erase : public testing::Test {
 protected:
  Erase() {
    std::mt19937_64 random(30);
    for (auto& byte : customer_.bytes) byte = static_cast<std::uint8_t>(random());
  }

  Comment by_customer(std::uint64_t number) {
    auto comment = comment_at(1000 + number, number, "en", 1 + static_cast<int>(number % 5),
                              "p" + std::to_string(number % 7));
    comment.author = name_;
    comment.title = text_.substr(0, 20);
    comment.text = number % 9 ? text_ : text_ + std::string(6000, '.') + text_;
    comment.customer = customer_;
    if (number % 3 == 1) comment.moderation = held({}, "words", 4000);
    if (number % 3 == 2) {
      comment.moderation = {.status = CommentStatus::rejected, .reason = "spam", .note = text_};
      comment.moderation.held_ms = 4000;
    }
    return comment;
  }
  std::unique_ptr<LmdbStore> open() {
    return LmdbStore::open(directory_.path(), Access::write).value();
  }
  void fill(LmdbStore& store, std::uint64_t comments) {
    auto other = comment_at(500, 1, "en", 5, "p0");
    other.customer = CustomerHash{{1}};
    ASSERT_TRUE(wait(store.insert(other, {})));
    ASSERT_TRUE(
        wait(store.moderation()->report(other.id, {customer_.person(), 6000, "spam", text_}, 0)));
    for (std::uint64_t i = 0; i < comments; ++i) {
      auto low = static_cast<std::uint8_t>(i), high = static_cast<std::uint8_t>(i >> 8);
      RequestKey key{{low, high}, {2}, 5000};
      CustomerTerms terms{.ticket = Ticket{{low, high}, 1'000'000}, .now_ms = 5000};
      ASSERT_TRUE(wait(store.insert(by_customer(i), i % 2 ? std::optional(key) : std::nullopt,
                                    i % 4 ? CustomerTerms{} : terms)));
    }
    auto moderate = [this](const Comment&, Comment& after) -> Status {
      after.moderation.note = text_;
      return Done{};
    };
    ASSERT_TRUE(wait(store.update(by_customer(0).id, {.text = text_ + " and more"}, {}, moderate)));
    if (comments < 5) return;
    ASSERT_TRUE(wait(store.remove(by_customer(4).id)));
  }
  void compact_store() {
    auto databases = open_databases(directory_.path(), Access::write).value();
    ASSERT_TRUE(compact(*databases));
  }
  // What of the person the files of the store have; empty: nothing.
  std::string found(bool ids) {
    auto hash = customer_.view();
    std::vector<std::pair<std::string, std::string>> traces = {
        {"name", name_},
        {"text", text_},
        {"title", text_.substr(0, 20)},
        {"hash", std::string(hash)},
        {"half of the hash", std::string(hash.substr(0, 16))},
        {"text of the hash", customer_.text()}};
    if (ids) traces.emplace_back("an id", by_customer(3).id.text());
    if (ids) traces.emplace_back("bytes of an id", std::string(by_customer(3).id.view()));
    for (const auto& file : std::filesystem::directory_iterator(directory_.path())) {
      auto bytes = file_bytes(file.path());
      for (const auto& [what, trace] : traces)
        if (bytes.find(trace) != std::string::npos) return what + " in " + file.path().string();
    }
    return {};
  }

  TemporaryDirectory directory_;
  CustomerHash customer_;
  const std::string name_ = "Zebulon Quartermain",
                    text_ = "Delivered to Elm Street 7 where nobody was at home";
};

TEST_F(Erase, LeavesNoByteOfThePerson) {
  {
    auto store = open();
    fill(*store, 30);
    ASSERT_NE(found(true), "");
    auto erased = wait(store->customers()->erase(customer_, false)).removed;
    EXPECT_EQ(erased.comments, 29u);
    EXPECT_EQ(erased.reports, 1u);
    EXPECT_EQ(erased.answers, 15u);
    EXPECT_EQ(erased.tickets, 8u);
    EXPECT_EQ(verify(store->databases()).differences, 0u);
    EXPECT_EQ(verify(store->databases()).comments, 1u);
  }
  compact_store();
  EXPECT_EQ(found(true), "");
}

TEST_F(Erase, KeepsRatingsOfNobody) {
  {
    auto store = open();
    fill(*store, 30);
    auto erased = wait(store->customers()->erase(customer_, true)).removed;
    EXPECT_EQ(erased.emptied, 10u);
    EXPECT_EQ(erased.comments, 19u);
    EXPECT_EQ(verify(store->databases()).differences, 0u);
    EXPECT_EQ(verify(store->databases()).comments, 11u);
  }
  compact_store();
  EXPECT_EQ(found(false), "");
}

TEST_F(Erase, TakesWhatARepairSetAside) {
  {
    auto store = open();
    fill(*store, 3);
    auto comment = by_customer(0);
    {
      lmdb::WriteTransaction txn(*store->databases().environment);
      std::string key, value;
      {
        lmdb::Cursor cursor(txn.get(), store->databases().comments.dbi);
        ASSERT_TRUE(cursor.move(MDB_LAST));
        key = cursor.key(), value = cursor.value();
      }
      value.back() ^= 1;  // its seal
      txn.put(store->databases().comments.dbi, key, value);
      txn.commit();
    }
    auto [removed, failed] = wait(store->customers()->erase(customer_, false));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->code, ErrorCode::damaged);
    EXPECT_GT(removed.comments, 0u) << "it is told all the same";
    EXPECT_EQ(wait(store->rebuild())->set_aside.size(), 1u);
    EXPECT_EQ(wait(store->customers()->erase(customer_, false)).removed.comments, 1u);
  }
  compact_store();
  EXPECT_EQ(found(true), "");
}

TEST_F(Erase, GoesOnWhereItWasKilled) {
  constexpr std::uint64_t comments = 700;
  {
    auto store = open();
    fill(*store, comments);
  }
  std::mt19937 random(31);
  for (int round = 0; round < 12; ++round) {
    Process killed([&] {
      auto store = LmdbStore::open(directory_.path(), Access::write);
      if (store) (void)wait((*store)->erase(customer_, false));
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 30'000));
  }
  {
    auto store = open();
    EXPECT_EQ(verify(store->databases()).differences, 0u);
    ASSERT_FALSE(wait(store->customers()->erase(customer_, false)).failed);
    EXPECT_EQ(verify(store->databases()).comments, 1u);
    EXPECT_EQ(verify(store->databases()).differences, 0u);
  }
  compact_store();
  EXPECT_EQ(found(true), "");
}

}  // namespace
}  // namespace quire::embedded
