// Names of statuses and reasons, decisions of moderators and of rules.
#include "model/moderation.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace quire {
namespace {

constexpr std::uint64_t then = 1000, now = 2000;

Moderation pending() {
  return {.status = CommentStatus::pending, .held_by = "links", .held_ms = then};
}

Patch to(CommentStatus status, std::optional<std::string> reason = {}) {
  return {.status = status, .reason = std::move(reason)};
}

TEST(Anonymized, NothingStaysThatTheWriterTyped) {
  Comment comment{.id = Ulid::make(then, {1}),
                  .product = "42",
                  .language = "en",
                  .rating = 5,
                  .author = "Ann",
                  .title = "Fits",
                  .text = "Warm",
                  .attributes = {{"size", "L"},
                                 {"tags", std::vector<std::string>{"gift"}},
                                 {"verified", true},
                                 {"helpful", 8}},
                  .media = {{"https://img.shop.example/a", 1, 1}},
                  .reply = Reply{"Mia", "Thank you, Ann", then},
                  .moderation = pending(),
                  .customer = CustomerHash{{7}}};
  comment.moderation.note = "knows Ann";
  anonymize(comment);
  EXPECT_EQ(comment, (Comment{.id = Ulid::make(then, {1}),
                              .product = "42",
                              .language = "en",
                              .rating = 5,
                              .attributes = {{"verified", true}, {"helpful", 8}},
                              .moderation = pending()}));
}

TEST(ModerationNames, AreReadBack) {
  for (auto status : {CommentStatus::published, CommentStatus::pending, CommentStatus::rejected})
    EXPECT_EQ(parse_status(status_name(status)), status);
  EXPECT_FALSE(parse_status("Published"));
  EXPECT_FALSE(parse_status(""));
  for (auto reason : {"spam", "offensive", "personal", "off_topic", "fake", "unlawful", "other"}) {
    EXPECT_TRUE(is_reason(reason));
    EXPECT_NE(reasons_wanted.find(reason), reasons_wanted.npos) << reason;
  }
  EXPECT_FALSE(is_reason("rating"));
  EXPECT_FALSE(is_reason(""));
}

TEST(ModerationMembers, AreReadBackAndDamageIsSeen) {
  auto read = [](std::string_view members) {
    return moderation_of(boost::json::parse("{" + std::string(members) + "}").as_object());
  };
  for (Moderation each : {pending(), Moderation{.note = "\"\n", .decided = true},
                          Moderation{CommentStatus::rejected, "fake", "n", "all", 5, false}}) {
    std::string members;
    append_moderation(members, each, Members::kept);
    EXPECT_EQ(read(members.substr(1)), each) << members;
  }
  EXPECT_EQ(read(""), Moderation());
  for (auto damaged : {R"("status":"gone")", R"("status":1)", R"("held_at":"soon")",
                       R"("decided":"yes")", R"("note":[])"})
    EXPECT_FALSE(read(damaged)) << damaged;
}

TEST(Decided, APublishedCommentWaitsNoMoreAndRulesLeaveItAlone) {
  auto moderation = decided(pending(), to(CommentStatus::published), now).value();
  EXPECT_EQ(moderation, Moderation{.decided = true});
}

TEST(Decided, ARejectionNeedsAReasonAndNothingElseHasOne) {
  auto refused = [](const Moderation& present, const Patch& patch) {
    auto moderation = decided(present, patch, now);
    return !moderation && moderation.error().code == ErrorCode::invalid_comment &&
           moderation.error().fields.at(0).field == "reason";
  };
  EXPECT_TRUE(refused(pending(), to(CommentStatus::rejected)));
  EXPECT_TRUE(refused(pending(), to(CommentStatus::published, "spam")));
  EXPECT_TRUE(refused(pending(), to(CommentStatus::pending, "spam")));
  EXPECT_TRUE(refused({}, {.reason = "spam"}));
  auto rejected = decided(pending(), to(CommentStatus::rejected, "spam"), now).value();
  EXPECT_EQ(rejected, (Moderation{CommentStatus::rejected, "spam", "", "links", then, false}));
  // A later rejection says its own reason.
  EXPECT_TRUE(refused(rejected, to(CommentStatus::rejected)));
  EXPECT_EQ(decided(rejected, {.reason = "fake"}, now)->reason, "fake");
}

TEST(Decided, APublishedCommentThatIsTakenBackIsHeldFromThenOn) {
  auto rejected = decided({.decided = true}, to(CommentStatus::rejected, "fake"), now).value();
  EXPECT_EQ(rejected, (Moderation{CommentStatus::rejected, "fake", "", "", now, false}));
}

TEST(Decided, ANoteAloneChangesTheNoteAlone) {
  auto noted = decided(pending(), {.note = "asked the writer"}, now).value();
  auto wanted = pending();
  wanted.note = "asked the writer";
  EXPECT_EQ(noted, wanted);
  EXPECT_EQ(decided(noted, {.note = ""}, now).value(), pending());
}

TEST(Held, ACommentWaitsSinceItWasHeldFirst) {
  EXPECT_EQ(held({.decided = true}, "reports", now),
            (Moderation{CommentStatus::pending, "", "", "reports", now, false}));
  auto again = held(pending(), "words", now);
  EXPECT_EQ(again.held_ms, then);
  EXPECT_EQ(again.held_by, "words");
  auto rejected = held({CommentStatus::rejected, "spam", "n", "links", then, false}, "all", now);
  EXPECT_EQ(rejected, (Moderation{CommentStatus::pending, "", "n", "all", now, false}));
}

TEST(CheckReport, NamesEveryMemberThatCannotBeKept) {
  Report report{{1}, now, "unlawful", "Why\nso", false, {"Ann Smith", "ann@example.com"}};
  EXPECT_TRUE(check(report));
  EXPECT_TRUE(check(Report{{1}, now, "spam", ""})) << "nobody has to say who they are";
  auto faults = [](const Report& each) {
    std::string names;
    auto checked = check(each);
    if (!checked)
      for (const auto& field : checked.error().fields) names += field.field + " ";
    return names;
  };
  EXPECT_EQ(faults({{1}, now, "none", std::string(1001, 'x'), false, {"A\nB", "ann"}}),
            "reason note name mail ");
  for (std::string mail : {"ann@", "@example.com", "ann example.com", "a b@example.com", "a@b\n",
                           "<ann@example.com>", "a@b, c@d"}) {
    report.contact.mail = mail;
    EXPECT_EQ(faults(report), "mail ") << mail;
  }
  report.contact = {std::string(100, 'x'), std::string(242, 'x') + "@example.com"};
  EXPECT_TRUE(check(report));
  report.contact = {std::string(101, 'x'), std::string(243, 'x') + "@example.com"};
  EXPECT_EQ(faults(report), "name mail ");
}

}  // namespace
}  // namespace quire
