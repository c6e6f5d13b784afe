// What a record of a table's stream tells a log of events.
#include "store/dynamodb/stream/told.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/vote.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

constexpr std::uint64_t posted_ms = 1'700'000'000'000;
const Comment posted = comment_at(posted_ms, 1, "en", 5);

Comment with(CommentStatus status, Comment comment = posted) {
  comment.moderation.status = status;
  if (status == CommentStatus::rejected) comment.moderation.reason = "spam";
  return comment;
}

// What is told, as "comment.published 42 new".
std::vector<std::string> told(Item before, Item after, std::uint64_t made_s = posted_ms / 1000) {
  Record record{Record::Kind::modify, "100", {}, std::move(before), std::move(after), made_s};
  std::vector<std::string> out;
  for (const auto& change : told_of(record).changes) {
    EXPECT_EQ(change.sequence, "100");
    EXPECT_FALSE(change.from || change.to);
    const auto& event = change.event.value();
    EXPECT_EQ(event.time_ms, made_s * 1000);
    EXPECT_EQ(event.id, posted.id);
    EXPECT_EQ(event.id, change.id);
    EXPECT_EQ(event.product, change.product);
    out.push_back(std::string(event_name(event.type)) + " " + event.product +
                  (event.fresh ? " new" : "") + (event.imported ? " imported" : ""));
  }
  return out;
}
std::vector<std::string> between(const Comment& before, const Comment& after) {
  return told(comment_item(before), comment_item(after));
}
using Told = std::vector<std::string>;

TEST(ToldOf, ANewCommentAndOneThatIsGone) {
  Item item = comment_item(posted);
  EXPECT_EQ(told({}, item), Told{"comment.published 42 new"});
  EXPECT_EQ(told({}, comment_item(with(CommentStatus::pending))), Told{"comment.held 42 new"});
  EXPECT_EQ(told(item, {}), Told{"comment.removed 42"});
  EXPECT_EQ(told(item, removed_item(posted.id)), Told{"comment.removed 42"});
  EXPECT_EQ(told(comment_item(with(CommentStatus::rejected)), {}), Told{"comment.removed 42"});
}

TEST(ToldOf, AnImportMakesCommentsThatAreOlderThanTheirRecord) {
  Item item = comment_item(posted);
  auto at = [&](std::uint64_t minutes) { return told({}, item, posted_ms / 1000 + 60 * minutes); };
  EXPECT_EQ(at(5), Told{"comment.published 42 new"});
  EXPECT_EQ(at(11), Told{"comment.published 42 new imported"});
  EXPECT_EQ(told({}, item, posted_ms / 1000 - 300), Told{"comment.published 42 new"});
}

TEST(ToldOf, ADecision) {
  auto pending = with(CommentStatus::pending), rejected = with(CommentStatus::rejected);
  EXPECT_EQ(between(pending, posted), Told{"comment.published 42"});
  EXPECT_EQ(between(posted, pending), Told{"comment.held 42"});
  EXPECT_EQ(between(pending, rejected), Told{"comment.rejected 42"});
  auto noted = pending;
  noted.moderation.note = "odd";
  EXPECT_EQ(between(pending, noted), Told{"comment.changed 42"});
}

TEST(ToldOf, AnEditAReplyAndVotes) {
  auto edited = posted, replied = posted, voted = posted;
  edited.text = "Other words";
  replied.reply = Reply{.text = "Thank you", .created_ms = posted_ms};
  voted.attributes[std::string(vote_name(Vote::helpful))] = std::int64_t{3};
  EXPECT_EQ(between(posted, edited), Told{"comment.changed 42"});
  EXPECT_EQ(between(posted, replied), Told{"comment.replied 42"});
  EXPECT_EQ(between(replied, posted), Told{"comment.changed 42"});
  EXPECT_EQ(between(posted, voted), Told{"comment.voted 42"});
  EXPECT_EQ(between(voted, posted), Told{"comment.voted 42"});
  voted.title = "Both";
  EXPECT_EQ(between(posted, voted), Told{"comment.changed 42"});
}

TEST(ToldOf, AMoveToAnotherProduct) {
  auto moved = posted;
  moved.product = "43";
  EXPECT_EQ(between(posted, moved), (Told{"comment.removed 42", "comment.changed 43"}));
}

TEST(ToldOf, AReportNamesNoProduct) {
  auto item = [](std::size_t reports, bool open) {
    std::vector<Report> all;
    for (std::size_t i = 0; i < reports; ++i)
      all.push_back(
          {.person = {static_cast<std::uint8_t>(i)}, .at_ms = posted_ms, .reason = "spam"});
    return reports_item(posted.id, all, open);
  };
  EXPECT_EQ(told({}, item(1, true)), Told{"comment.reported "});
  EXPECT_EQ(told(item(1, true), item(2, true)), Told{"comment.reported "});
  EXPECT_EQ(told(item(2, true), item(2, false)), Told{}) << "a moderator decided";
  EXPECT_EQ(told(item(2, false), {}), Told{});
  EXPECT_EQ(told({}, item(1, true), posted_ms / 1000 + 3600), Told{"comment.reported  imported"});
}

TEST(ToldOf, AnItemThatWasDamagedWasThereBefore) {
  Item right = comment_item(posted), wrong = right;
  wrong["rating"] = string("many");
  ASSERT_FALSE(comment_of(wrong));
  EXPECT_EQ(told(right, wrong), Told{"comment.removed 42"});
  EXPECT_TRUE(told_of({Record::Kind::modify, "1", {}, right, wrong, 1}).damage);
  auto late_s = posted_ms / 1000 + 3600;
  EXPECT_EQ(told(wrong, right, late_s), Told{"comment.published 42"}) << "no import brought it";
  EXPECT_EQ(told(removed_item(posted.id), right), Told{"comment.published 42 new"});
}

TEST(ToldOf, OtherItemsAndOtherKeysTellNothing) {
  Item item = comment_item(posted), aside = item;
  aside["GSIPK"] = string("elsewhere");
  EXPECT_EQ(told(item, item), Told{});
  EXPECT_EQ(told(item, aside), Told{});
  EXPECT_EQ(told({}, statistics_key("42", any)), Told{});
  EXPECT_EQ(told({}, {}), Told{});
}

}  // namespace
}  // namespace quire::dynamodb
