// The items of comments that are not published, and of reports, attribute by attribute.
#include "store/dynamodb/items/queue_items.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/limits.h"
#include "store/dynamodb/items/reading.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

const Ulid queued_id = Ulid::parse("01JD4QZ1V8ABCDEFGHJKMNPQRS").value();

Comment moderated(Moderation moderation) {
  Comment comment = comment_at(1000, 1, "en", 5, "a/b");
  comment.id = queued_id;
  comment.moderation = std::move(moderation);
  return comment;
}

const Comment published = moderated({}), pending = moderated(held({}, "links", 1732104060123)),
              rejected = moderated({.status = CommentStatus::rejected,
                                    .reason = "spam",
                                    .note = "seen \"before\"",
                                    .held_ms = 1732104060123}),
              approved = moderated({.note = "fine", .decided = true});

TEST(QueueItems, APendingCommentIsInTheQueueAndInNoList) {
  EXPECT_EQ(json::value(encode(comment_item(pending))), json::parse(R"({
    "PK":     {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "SK":     {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "GSI4PK": {"S": "STATUS#pending"},
    "GSISK":  {"S": "01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "language": {"S": "en"},
    "rating": {"N": "5"},
    "data":   {"S": "{\"author\":\"Ann\",\"title\":\"Fits\",\"text\":\"comment 1\",\"product\":\"a/b\",\"status\":\"pending\",\"held_by\":\"links\",\"held_at\":\"2024-11-20T12:01:00.123Z\"}"}})"));
}

TEST(QueueItems, ARejectedCommentHasTheDecision) {
  Item item = comment_item(rejected);
  EXPECT_EQ(item.at("GSI4PK"), string("STATUS#rejected"));
  EXPECT_EQ(item.at("data").text,
            R"({"author":"Ann","title":"Fits","text":"comment 1","product":"a/b",)"
            R"("status":"rejected","reason":"spam","note":"seen \"before\"",)"
            R"("held_at":"2024-11-20T12:01:00.123Z"})");
}

TEST(QueueItems, APublishedCommentIsInItsListsAndKeepsTheDecision) {
  Item item = comment_item(approved);
  EXPECT_EQ(item.at("GSI4PK"), string("PRODUCT#a%2Fb"));
  EXPECT_EQ(item.at("data").text,
            R"({"author":"Ann","title":"Fits","text":"comment 1","note":"fine","decided":true})");
}

TEST(QueueItems, CommentsOfEachStatusAreReadBack) {
  for (const auto& comment : {published, pending, rejected, approved})
    EXPECT_EQ(comment_of(comment_item(comment)), comment);
}

TEST(QueueItems, DataThatOtherProgramsWriteDecides) {
  Item item = comment_item(published);
  item["data"] = string(R"({"title":"Fits","status":"pending"})");
  EXPECT_EQ(comment_of(item)->moderation, (Moderation{.status = CommentStatus::pending}));
  EXPECT_EQ(comment_of(item)->product, "a/b");
  item["data"] = string(R"({"title":"Fits","status":"published"})");
  EXPECT_EQ(comment_of(item)->moderation, Moderation());
  item["data"] = {Type::other,
                  R"({"M":{"status":{"S":"rejected"},"reason":{"S":"spam"},"other":{"N":"1"}}})"};
  EXPECT_EQ(comment_of(item)->moderation,
            (Moderation{.status = CommentStatus::rejected, .reason = "spam"}));
  item["data"] = {Type::other, R"({"M":{"decided":{"BOOL":true}}})"};
  EXPECT_TRUE(comment_of(item)->moderation.decided);
}

TEST(QueueItems, AStatusThatIsUnknownIsDamage) {
  Item item = comment_item(published);
  for (const char* data : {R"({"status":"shown"})", R"({"status":1})", R"({"note":[]})",
                           R"({"status":"pending","held_at":"yesterday"})"}) {
    item["data"] = string(data);
    EXPECT_TRUE(read_comment(item).reason.starts_with("Its status")) << data;
  }
}

TEST(QueueItems, AProductIsInAnIndexKeyOrInTheData) {
  Item item = comment_item(pending);
  item["data"] = string(R"({"status":"pending"})");
  EXPECT_TRUE(read_comment(item).reason.starts_with("None of its index keys")) << "no product";
  item["data"] = string(R"({"status":"pending","product":".."})");
  EXPECT_TRUE(read_comment(item).reason.starts_with("A product is"));
  item["data"] = string(R"({"product":"x","status":"published"})");
  EXPECT_EQ(comment_of(item)->product, "x");
  item["GSI4PK"] = string("PRODUCT#42");
  EXPECT_EQ(comment_of(item)->product, "42");
}

Report old_report(std::uint8_t person, std::string note = "") {
  return {{person, 0xab}, 1732104060123u + person, "spam", std::move(note)};
}

TEST(QueueItems, ReportsAreAnItemBesideTheComment) {
  EXPECT_EQ(json::value(
                encode(reports_item(queued_id, {old_report(0, "a\n\"b\""), old_report(1)}, true))),
            json::parse(R"({
    "PK": {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"}, "SK": {"S": "REPORTS"},
    "GSI4PK": {"S": "STATUS#reported"}, "GSISK": {"S": "01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "reports": {"S": "[{\"person\":\"00ab0000000000000000000000000000\",\"at\":\"2024-11-20T12:01:00.123Z\",\"reason\":\"spam\",\"note\":\"a\\n\\\"b\\\"\"},{\"person\":\"01ab0000000000000000000000000000\",\"at\":\"2024-11-20T12:01:00.124Z\",\"reason\":\"spam\"}]"}})"));
}

TEST(QueueItems, ReportsWithAContactAreListedOnceAModeratorHasDecided) {
  auto report = old_report(1);
  report.contact = {"Ann", "ann@example.com"};
  EXPECT_FALSE(reports_item(queued_id, {report}, false).contains("GSI4PK"));
  report.contact.decided_ms = 1732104060123u;
  Item item = reports_item(queued_id, {report}, false);
  EXPECT_EQ(json::value(encode(item)), json::parse(R"({
    "PK": {"S": "COMMENT#01JD4QZ1V8ABCDEFGHJKMNPQRS"}, "SK": {"S": "REPORTS"},
    "GSI4PK": {"S": "CONTACTS"}, "GSISK": {"S": "01JD4QZ1V8ABCDEFGHJKMNPQRS"},
    "reports": {"S": "[{\"person\":\"01ab0000000000000000000000000000\",\"at\":\"2024-11-20T12:01:00.124Z\",\"reason\":\"spam\",\"name\":\"Ann\",\"mail\":\"ann@example.com\",\"decided_at\":\"2024-11-20T12:01:00.123Z\"}]"}})"));
  EXPECT_FALSE(is_listed(item));
  EXPECT_TRUE(is_reports(item));
  EXPECT_EQ(read_reports(item)->at(0).contact, report.contact);
  EXPECT_TRUE(is_listed(reports_item(queued_id, {report}, true)));
}

TEST(QueueItems, ReportsAreReadBackOldestFirst) {
  Item item = reports_item(queued_id, {old_report(2, "b"), old_report(1, "a")}, false);
  EXPECT_FALSE(is_listed(item));
  EXPECT_TRUE(is_reports(item));
  EXPECT_FALSE(is_comment(item));
  EXPECT_FALSE(damage_of(item));
  auto reports = read_reports(item).value();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].person, old_report(1).person);
  EXPECT_EQ(reports[0].at_ms, old_report(1).at_ms);
  EXPECT_EQ(reports[1].note, "b");
}

TEST(QueueItems, ReportsOfAnotherFormAreDamaged) {
  Item item = reports_item(queued_id, {}, true);
  EXPECT_TRUE(read_reports(item)->empty());
  for (const char* reports : {"", "{}", "[1]", R"([{"person":"00"}])",
                              R"([{"person":"zzab0000000000000000000000000000",)"
                              R"("at":"2024-11-20T12:01:00.123Z","reason":"spam"}])"}) {
    item["reports"] = string(reports);
    EXPECT_FALSE(read_reports(item)) << reports;
  }
}

TEST(QueueItems, AHundredReportsWithTheLongestNotesFitAnItem) {
  std::string note;
  for (std::size_t i = 0; i < limits::note_characters; ++i) note += "😀";
  std::vector<Report> reports;
  for (std::size_t i = 0; i < limits::reports; ++i) {
    reports.push_back(old_report(static_cast<std::uint8_t>(i), note));
    reports.back().contact = {note.substr(0, 4 * limits::author_characters),
                              std::string(limits::mail_bytes, 'm'), 1732104060123u};
  }
  Item item = reports_item(queued_id, reports, true);
  EXPECT_LT(billed_bytes(item), 400'000u);
  EXPECT_EQ(read_reports(item)->size(), limits::reports);
  EXPECT_EQ(read_reports(item)->front().note, note);
}

}  // namespace
}  // namespace quire::dynamodb
