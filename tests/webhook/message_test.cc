#include "webhook/message.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "model/document.h"

namespace quire::webhook {
namespace {

constexpr std::uint64_t time_ms = 1'732'104'060'123;
const Ulid id = *Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF");

Event event(std::string type, bool is_new = false) {
  return {.mark = 7,
          .time_ms = time_ms,
          .type = std::move(type),
          .id = id,
          .product = "42",
          .is_new = is_new};
}

Comment comment(std::string text = "It broke.") {
  return {.id = id,
          .product = "42",
          .language = "en",
          .rating = 1,
          .author = "Ann",
          .title = "No",
          .text = std::move(text)};
}

boost::json::object json_of(const std::string& body) {
  return boost::json::parse(body).as_object();
}

TEST(Message, HasAnIdThatStays) {
  EXPECT_EQ(message_id(event("comment.changed")), "evt_7");
  EXPECT_EQ(mark_of("evt_7"), 7u);
  for (auto text : {"", "7", "evt_", "evt_x", "evt_-7", "evt_7 "})
    EXPECT_FALSE(mark_of(text)) << text;
}

TEST(StandardBody, IsAsDocumented) {
  auto told = comment();
  told.moderation = {.status = CommentStatus::pending,
                     .note = "for moderators",
                     .held_by = "links",
                     .held_ms = time_ms};
  EXPECT_EQ(standard_body(event("comment.held", true), &told),
            R"({"type":"comment.held","timestamp":"2024-11-20T12:01:00.123Z","data":{"mark":7,)"
            R"("new":true,"comment":{"id":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"42",)"
            R"("language":"en","rating":1,"created_at":")" +
                time_text(id.ms()) +
                R"(","author":"Ann","title":"No","text":"It broke.","status":"pending",)"
                R"("held_by":"links","held_at":"2024-11-20T12:01:00.123Z"}}})");
}

TEST(StandardBody, NamesACommentThatIsGone) {
  auto removed = event("comment.removed");
  removed.imported = true;
  removed.product = "a\"b";
  EXPECT_EQ(standard_body(removed, nullptr),
            R"({"type":"comment.removed","timestamp":"2024-11-20T12:01:00.123Z","data":{"mark":7,)"
            R"("imported":true,"id":"01JD5ZK3V8Q6W3N0A9B7C5D2EF","product":"a\"b"}})");
  removed.id = {};
  removed.product = "";
  EXPECT_EQ(json_of(standard_body(removed, nullptr)).at("data").as_object().size(), 2u);
}

TEST(StandardBody, CutsALongText) {
  auto told = comment();
  auto spare = max_body_bytes - standard_body(event("comment.changed"), &told).size();
  told.text += std::string(spare, 'x');
  auto whole = standard_body(event("comment.changed"), &told);
  EXPECT_EQ(whole.size(), max_body_bytes);
  EXPECT_EQ(whole.find("truncated"), std::string::npos);
  for (std::string more : {"x", "é", "\"", "\n"}) {
    told.text = std::string(100, 'x');
    while (told.text.size() < 50'000) told.text += more;
    auto body = standard_body(event("comment.changed"), &told);
    EXPECT_LE(body.size(), max_body_bytes);
    auto data = json_of(body).at("data").as_object();
    EXPECT_EQ(data.at("truncated"), true);
    auto text = std::string(data.at("comment").at("text").as_string());
    EXPECT_TRUE(told.text.starts_with(text));
    EXPECT_GE(text.size(), max_body_bytes / 4);
  }
}

TEST(StandardBody, CutsAllThatIsLong) {
  auto told = comment(std::string(50'000, '"'));
  told.reply = {.author = "Shop", .text = std::string(50'000, '"'), .created_ms = time_ms};
  told.title = std::string(300, '"');
  told.media.assign(8, {.url = "https://img.example/" + std::string(1'980, 'x'),
                        .width = 1,
                        .height = 1,
                        .alt = std::string(300, '"')});
  auto body = standard_body(event("comment.changed"), &told);
  EXPECT_LE(body.size(), max_body_bytes);
  auto cut = json_of(body).at("data").at("comment").as_object();
  EXPECT_FALSE(cut.contains("media"));
  EXPECT_EQ(cut.at("rating"), 1);
  told.media.clear();
  told.text = "short";
  cut =
      json_of(standard_body(event("comment.changed"), &told)).at("data").at("comment").as_object();
  EXPECT_EQ(cut.at("title").as_string().size(), 300u);
  EXPECT_GT(cut.at("reply").at("text").as_string().size(), 5000u);
}

std::string slack_text(const Event& event, const Comment* comment, const Around& around = {}) {
  return std::string(json_of(slack_body(event, comment, around)).at("text").as_string());
}

TEST(SlackBody, IsASentenceWithALink) {
  auto told = comment("It broke.\nTwice.");
  EXPECT_EQ(slack_text(event("comment.published", true), &told,
                       {"Desk lamp", "https://shop.example/moderation"}),
            "★☆☆☆☆ *Desk lamp*: new review by Ann\n> *No*\n> It broke.\n> Twice.\n"
            "<https://shop.example/moderation|Moderation>");
  told.author = told.title = "";
  EXPECT_EQ(slack_text(event("comment.held", true), &told),
            "★☆☆☆☆ *42*: new review, which waits for a moderator\n> It broke.\n> Twice.");
  EXPECT_EQ(slack_text(event("comment.removed"), nullptr), "*42*: review removed");
  EXPECT_EQ(slack_text({.mark = 0, .time_ms = 0, .type = std::string(test_type)}, nullptr),
            "A test by Quire: messages arrive here.");
}

TEST(SlackBody, WordsOfVisitorsStayWords) {
  auto told = comment("<!channel> & @everyone [free](https://bad.example)");
  auto text = slack_text(event("comment.published", true), &told);
  EXPECT_TRUE(
      text.ends_with("> &lt;!channel&gt; &amp; @\u200Beveryone [free]\u200B(https://bad.example)"))
      << text;
}

TEST(SlackBody, CutsALongTextBetweenCharacters) {
  auto told = comment("x");
  for (int i = 0; i < 300; ++i) told.text += "é";
  auto text = slack_text(event("comment.published", true), &told);
  EXPECT_TRUE(text.ends_with("é…"));
  EXPECT_LT(text.size(), 600u);
}

}  // namespace
}  // namespace quire::webhook
