// What a question asks of comments over all products, as a cursor names it.
#include "store/queue.h"

#include <gtest/gtest.h>

#include <set>

#include "store/support.h"

namespace quire {
namespace {

using Kind = QueueQuestion::Kind;

TEST(QueueQuestion, HasAFingerprintOfAllThatChoosesComments) {
  const std::vector<QueueQuestion> questions = {{},
                                                {.kind = Kind::published},
                                                {.kind = Kind::any},
                                                {.product = "42"},
                                                {.product = "4"},
                                                {.languages = {"de"}},
                                                {.languages = {"en", "de"}},
                                                {.ratings = {1}},
                                                {.ratings = {1, 2}},
                                                {.since_ms = 1},
                                                {.until_ms = 1},
                                                {.replied = true},
                                                {.replied = false},
                                                {.verified = true},
                                                {.has_text = true}};
  std::set<std::uint32_t> names;
  for (const auto& question : questions) names.insert(fingerprint(question));
  EXPECT_EQ(names.size(), questions.size());
}

TEST(QueueQuestion, HasTheSameFingerprintOnEachOfItsPages) {
  QueueQuestion question{.languages = {"en", "de"}, .ratings = {2, 1}};
  auto name = fingerprint(question);
  question.languages = {"de", "en"};
  question.ratings = {1, 2};
  question.product_prefix = "shop-a/";
  question.after = id_at(1, 1);
  question.limit = 3;
  question.order = Order::newest_first;
  EXPECT_EQ(fingerprint(question), name);
}

// Cursors that clients keep: docs/formats/cursor.md.
TEST(QueueQuestion, KeepsItsFingerprint) {
  EXPECT_EQ(fingerprint({.kind = Kind::published,
                         .product = "42",
                         .languages = {"en"},
                         .ratings = {5},
                         .since_ms = 1'732'104'060'123,
                         .replied = false}),
            0xf0141375u);
}

TEST(QueueQuestion, BeginsWhereItsTimeDoes) {
  auto first = [](std::uint64_t ms) { return Ulid::make(ms, {}); };
  QueueQuestion question{.since_ms = 1000, .until_ms = 2000};
  EXPECT_EQ(question.start(), first(1000).previous());
  question.order = Order::newest_first;
  EXPECT_EQ(question.start(), first(2000));
  question.after = first(1500);
  EXPECT_EQ(question.start(), first(1500));
  question.after = first(2500);
  EXPECT_EQ(question.start(), first(2000));
  question.after = {};
  question.before = first(1500);
  EXPECT_EQ(question.start(), first(1500));
  question.before = first(500);
  EXPECT_EQ(question.start(), first(1000).previous());
  question.until_ms = 1ull << 60;
  question.before = {};
  EXPECT_EQ(question.start(), first(Ulid::max_ms));
  EXPECT_FALSE(question.in_time(first(999)));
  EXPECT_TRUE(question.in_time(first(1000)));
}

TEST(QueueQuestion, LooksForWordsInTitleAndText) {
  auto comment = comment_at(1000, 1, "en", 5);
  comment.title = "Fits";
  comment.text = "The zippers are strong.";
  auto finds = [&](std::string words) {
    QueueQuestion question;
    EXPECT_TRUE(question.look_for(std::move(words)));
    EXPECT_TRUE(question.filtered());
    return question.matches(comment);
  };
  EXPECT_TRUE(finds("zipper fit"));
  EXPECT_FALSE(finds("zipper weak"));
  QueueQuestion question, other;
  EXPECT_EQ(question.look_for(" ?").error().parameter, "q");
  EXPECT_FALSE(question.filtered());
  ASSERT_TRUE(question.look_for("zipper"));
  ASSERT_TRUE(other.look_for("zip"));
  EXPECT_NE(fingerprint(question), fingerprint(other));
  EXPECT_NE(fingerprint(question), fingerprint(QueueQuestion()));
}

TEST(QueueQuestion, HasANameForEachKind) {
  for (auto kind : {Kind::pending, Kind::rejected, Kind::reported, Kind::published, Kind::any})
    EXPECT_EQ(parse_queue(queue_name(kind)), kind);
  EXPECT_EQ(parse_queue("all"), std::nullopt);
}

}  // namespace
}  // namespace quire
