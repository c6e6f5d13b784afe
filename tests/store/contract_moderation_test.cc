// Comments that are not published are on no list, and are found by moderators alone.
#include <random>

#include "base/limits.h"
#include "contract_moderation.h"
#include "stands.h"

namespace quire {
namespace {

TEST_P(ModerationContract, AHeldCommentIsInTheQueueAndOnNoList) {
  insert(comment_at(1000, 1, "en", 5));
  auto comment = held(1001, 2);
  auto document = insert(comment);
  EXPECT_NE(document.find(R"("status":"pending")"), document.npos);
  EXPECT_NE(document.find(R"("held_by":"links")"), document.npos);
  EXPECT_EQ(all(), (std::vector<Ulid>{id_at(1000, 1)}));
  expect_total(1);
  EXPECT_FALSE(is_public(comment.id));
  EXPECT_EQ(find(comment.id).value(), comment);
  auto page = queue({});
  ASSERT_EQ(page.rows.size(), 1u);
  EXPECT_EQ(page.rows[0].comment, comment);
  EXPECT_EQ(page.total, 1u);
  EXPECT_FALSE(page.next);
}

TEST_P(ModerationContract, AProductOfHeldCommentsIsNoProduct) {
  insert(held(1000, 1));
  auto view = store_->view();
  EXPECT_TRUE(wait(view->products("", 10))->empty());
  EXPECT_TRUE(wait(view->scan({}, 10))->entries.empty());
}

TEST_P(ModerationContract, PublishingIsAnInsertAndRejectingARemoval) {
  auto comment = held(1000, 1);
  insert(comment);
  auto published = decide(comment.id, CommentStatus::published).value();
  EXPECT_EQ(published.after.find("status"), published.after.npos);
  EXPECT_TRUE(published.moderation.decided);
  EXPECT_EQ(all(), (std::vector<Ulid>{comment.id}));
  expect_total(1);
  EXPECT_TRUE(is_public(comment.id));
  EXPECT_TRUE(find(comment.id)->moderation.decided);
  EXPECT_TRUE(queued(Kind::pending).empty());
  auto rejected = decide(comment.id, CommentStatus::rejected).value();
  EXPECT_NE(rejected.after.find(R"("status":"rejected","reason":"spam")"), rejected.after.npos);
  EXPECT_TRUE(all().empty());
  expect_total(0);
  EXPECT_FALSE(is_public(comment.id));
  EXPECT_EQ(queued(Kind::rejected), (std::vector<Ulid>{comment.id}));
  EXPECT_EQ(find(comment.id)->moderation.held_ms, 5000u);
}

TEST_P(ModerationContract, AnEditKeepsTheStatusUnlessTheJudgeChangesIt) {
  auto comment = held(1000, 1);
  insert(comment);
  ASSERT_TRUE(wait(store_->update(comment.id, {.rating = 2, .text = "changed"})));
  auto found = find(comment.id).value();
  EXPECT_EQ(found.rating, 2);
  EXPECT_EQ(found.moderation, comment.moderation);
  EXPECT_TRUE(all().empty());
  decide(comment.id, CommentStatus::published).value();
  EXPECT_EQ(ids(Order::oldest_first, {Cell{any, 2}, {}, 10}).size(), 1u);
  auto hold = [](const Comment& before, Comment& after) -> Status {
    EXPECT_TRUE(before.moderation.decided);
    after.moderation = quire::held(after.moderation, "words", 7000);
    return Done{};
  };
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "bad"}, {}, hold)));
  EXPECT_TRUE(all().empty());
  EXPECT_EQ(find(comment.id)->text, "bad");
  EXPECT_EQ(find(comment.id)->moderation.held_by, "words");
}

TEST_P(ModerationContract, TheSecondOfTwoModeratorsIsTold) {
  auto comment = held(1000, 1);
  insert(comment);
  auto tag = document_tag(encode_document(comment));
  auto decide_if = [&](CommentStatus status) {
    return wait(store_->update(comment.id, {}, {.tags = {tag}},
                               set(status, status == CommentStatus::rejected ? "spam" : "")));
  };
  EXPECT_TRUE(decide_if(CommentStatus::published));
  auto second = decide_if(CommentStatus::rejected);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::precondition_failed);
  EXPECT_TRUE(is_public(comment.id));
}

TEST_P(ModerationContract, AHeldCommentIsRemovedAndItsIdIsTaken) {
  auto comment = held(1000, 1);
  insert(comment);
  EXPECT_FALSE(wait(store_->insert(comment, {})));
  EXPECT_EQ(wait(store_->insert_many({comment})).value(), 0u);
  ASSERT_TRUE(wait(store_->remove(comment.id)));
  EXPECT_TRUE(queued(Kind::pending).empty());
  EXPECT_EQ(find(comment.id).error().code, ErrorCode::not_found);
}

TEST_P(ModerationContract, ARepeatedKeyGivesTheAnswerOfThePost) {
  auto comment = held(system_ms(), 1);
  RequestKey once{{1}, {2}, system_ms()};
  auto first = wait(store_->insert(comment, once)).value();
  decide(comment.id, CommentStatus::published).value();
  EXPECT_EQ(wait(store_->insert(held(system_ms(), 2), once)).value(), first);
}

TEST_P(ModerationContract, AnImportKeepsEachStatus) {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 9; ++i) {
    auto comment = comment_at(1000 + i, i, "en", 5);
    if (i % 3 == 1) comment = held(1000 + i, i);
    if (i % 3 == 2) {
      comment.moderation.status = CommentStatus::rejected;
      comment.moderation.reason = "fake";
      comment.moderation.note = "seen before";
      comment.moderation.held_ms = 4000;
    }
    comments.push_back(comment);
  }
  EXPECT_EQ(wait(store_->insert_many(comments)).value(), 9u);
  EXPECT_EQ(wait(store_->insert_many(comments)).value(), 0u);
  EXPECT_EQ(all().size(), 3u);
  EXPECT_EQ(queued(Kind::pending).size(), 3u);
  EXPECT_EQ(queued(Kind::rejected).size(), 3u);
  for (const auto& comment : comments) EXPECT_EQ(find(comment.id).value(), comment);
}

TEST_P(ModerationContract, ReportsOfSoManyPeopleHoldAComment) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  auto report = [&](std::uint8_t person) {
    return wait(store_->moderation()->report(comment.id, report_of(person), 3));
  };
  EXPECT_FALSE(report(1).value());
  EXPECT_FALSE(report(1).value());  // the same person
  EXPECT_FALSE(report(2).value());
  EXPECT_TRUE(is_public(comment.id));
  auto reported = queue({.kind = Kind::reported});
  ASSERT_EQ(reported.rows.size(), 1u);
  ASSERT_EQ(reported.rows[0].reports.size(), 2u);
  EXPECT_EQ(reported.rows[0].reports[1].note, "Look");
  auto change = report(3).value();
  ASSERT_TRUE(change);
  EXPECT_EQ(decode_document(change->before), comment);
  EXPECT_NE(change->after.find(R"("status":"pending")"), std::string::npos);
  EXPECT_EQ(change->moderation.held_by, "reports");
  EXPECT_FALSE(is_public(comment.id));
  EXPECT_TRUE(queued(Kind::reported).empty());
  auto pending = queue({});
  ASSERT_EQ(pending.rows.size(), 1u);
  EXPECT_EQ(pending.rows[0].reports.size(), 3u);
  EXPECT_EQ(pending.rows[0].comment.moderation.held_by, "reports");
  EXPECT_EQ(report(4).error().code, ErrorCode::not_found);
  // A moderator's decision outlasts reports.
  decide(comment.id, CommentStatus::published).value();
  EXPECT_TRUE(queued(Kind::reported).empty());
  EXPECT_FALSE(report(5).value());
  EXPECT_TRUE(is_public(comment.id));
  EXPECT_EQ(queued(Kind::reported).size(), 1u);
  ASSERT_TRUE(wait(store_->remove(comment.id)));
  EXPECT_TRUE(queued(Kind::reported).empty());
}

TEST_P(ModerationContract, ReportsThatADecisionAnsweredHoldNothingWhenTheyAreRepeated) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  auto report = [&](std::uint8_t person) {
    return wait(store_->moderation()->report(comment.id, report_of(person), 2)).value().has_value();
  };
  EXPECT_FALSE(report(1));
  EXPECT_TRUE(report(2));
  decide(comment.id, CommentStatus::published).value();
  // Its writer's change takes the decision from it, not the answer to these reports.
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "changed"}, {}, undecided)));
  EXPECT_FALSE(report(1));
  EXPECT_FALSE(report(2));
  EXPECT_TRUE(is_public(comment.id));
  EXPECT_TRUE(queued(Kind::reported).empty());
  EXPECT_TRUE(report(3)) << "of somebody new";
  EXPECT_FALSE(is_public(comment.id));
}

TEST_P(ModerationContract, AHundredReportsAreKept) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  for (int person = 0; person < 105; ++person)
    wait(store_->moderation()->report(comment.id, report_of(static_cast<std::uint8_t>(person)), 0))
        .value();
  EXPECT_EQ(queue({.kind = Kind::reported}).rows.at(0).reports.size(), limits::reports);
}

TEST_P(ModerationContract, AHundredReportsHoldACommentAgainOnceItsWriterEditsIt) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  report_by_a_hundred(comment.id);
  decide(comment.id, CommentStatus::published).value();
  EXPECT_FALSE(wait(store_->moderation()->report(comment.id, report_of(150), 3)).value());
  Patch patch{.text = "changed"};
  ASSERT_TRUE(wait(store_->update(comment.id, patch, {}, undecided)));
  EXPECT_TRUE(wait(store_->moderation()->report(comment.id, report_of(151), 3)).value());
  EXPECT_FALSE(is_public(comment.id));
}

TEST_P(ModerationContract, OnlyADecisionAnswersReports) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  decide(comment.id, CommentStatus::published).value();
  wait(store_->moderation()->report(comment.id, report_of(1), 0)).value();
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "changed"}, {}, undecided)));
  ASSERT_TRUE(wait(store_->update(comment.id, {.note = "asked"})));
  EXPECT_EQ(queued(Kind::reported).size(), 1u) << "an edit and a note decide nothing";
  ASSERT_TRUE(wait(store_->update(comment.id, {.status = CommentStatus::published})));
  EXPECT_TRUE(queued(Kind::reported).empty());
}

TEST_P(ModerationContract, ACommentWithAHundredAnsweredReportsIsListedAgain) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  report_by_a_hundred(comment.id);
  ASSERT_TRUE(wait(store_->update(comment.id, {.status = CommentStatus::published}, {},
                                  set(CommentStatus::published))));
  wait(store_->moderation()->report(comment.id, report_of(150), 0)).value();
  EXPECT_TRUE(queued(Kind::reported).empty()) << "a moderator has decided";
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "changed"}, {}, undecided)));
  wait(store_->moderation()->report(comment.id, report_of(151), 0)).value();
  EXPECT_EQ(queued(Kind::reported).size(), 1u);
}

// As the desk decides, and takes the decision back.
TEST_P(ModerationContract, ADecisionThatIsTakenBackLeavesWhatWasBefore) {
  auto comment = held(1000, 1);
  comment.moderation.note = "ask Mia";
  insert(comment);
  for (auto status : {CommentStatus::published, CommentStatus::rejected}) {
    bool rejects = status == CommentStatus::rejected;
    Patch patch{.status = status, .note = "seen"};
    if (rejects) patch.reason = "spam";
    auto made = wait(store_->update(comment.id, patch, {}, decide_by(patch))).value();
    EXPECT_EQ(made.former, comment.moderation);
    Undo undo{made.former, made.moderation, made.reported, 0};
    auto undone = wait(store_->moderation()->undo(comment.id, undo, {})).value();
    EXPECT_EQ(undone.moderation, comment.moderation);
    EXPECT_EQ(find(comment.id).value(), comment);
    EXPECT_EQ(queued(Kind::pending), (std::vector<Ulid>{comment.id}));
    EXPECT_TRUE(all().empty() && queued(Kind::rejected).empty());
    EXPECT_FALSE(is_public(comment.id));
    auto again = wait(store_->moderation()->undo(comment.id, undo, {}));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::precondition_failed);
  }
}

TEST_P(ModerationContract, ReportsWaitAgainOnceTheirAnswerIsTakenBack) {
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  auto report = report_of(1);
  report.contact = {.name = "Ann", .mail = "ann@example.com"};
  wait(store_->moderation()->report(comment.id, report, 0)).value();
  for (auto status : {CommentStatus::published, CommentStatus::rejected}) {
    Patch patch{.status = status};
    if (status == CommentStatus::rejected) patch.reason = "spam";
    auto at_ms = system_ms();
    auto made = wait(store_->update(comment.id, patch, {}, decide_by(patch))).value();
    EXPECT_TRUE(made.reported);
    EXPECT_TRUE(queued(Kind::reported).empty());
    Undo undo{made.former, made.moderation, made.reported, at_ms};
    ASSERT_TRUE(wait(store_->moderation()->undo(comment.id, undo, {})));
    EXPECT_EQ(all(), (std::vector<Ulid>{comment.id}));
    auto reported = queue({.kind = Kind::reported});
    ASSERT_EQ(reported.rows.size(), 1u);
    EXPECT_EQ(reported.rows[0].comment, comment);
    EXPECT_TRUE(reported.rows[0].reports.at(0).contact.waits()) << "it is kept without a bound";
  }
}

TEST_P(ModerationContract, NoReportWaitsAgainThatIsGone) {
  const CustomerHash customer{{1, 2, 3}};
  auto comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  wait(store_->moderation()->report(comment.id, {customer.person(), 6000, "spam", "a note"}, 0))
      .value();
  Patch patch{.status = CommentStatus::published};
  auto at_ms = system_ms();
  auto made = wait(store_->update(comment.id, patch, {}, decide_by(patch))).value();
  ASSERT_FALSE(wait(store_->customers()->erase(customer, false)).failed);
  Undo undo{made.former, made.moderation, made.reported, at_ms};
  ASSERT_TRUE(wait(store_->moderation()->undo(comment.id, undo, {})));
  EXPECT_TRUE(queued(Kind::reported).empty());
}

TEST_P(ModerationContract, AnotherDecisionIsNotTakenBack) {
  auto comment = held(1000, 1);
  insert(comment);
  Patch patch{.status = CommentStatus::published};
  auto made = wait(store_->update(comment.id, patch, {}, decide_by(patch))).value();
  Patch note{.note = "of somebody else"};
  ASSERT_TRUE(wait(store_->update(comment.id, note, {}, decide_by(note))));
  auto undone = wait(
      store_->moderation()->undo(comment.id, {made.former, made.moderation, made.reported, 0}, {}));
  ASSERT_FALSE(undone);
  EXPECT_EQ(undone.error().code, ErrorCode::precondition_failed);
  EXPECT_TRUE(is_public(comment.id));
  EXPECT_EQ(find(comment.id)->moderation.note, "of somebody else");
}

TEST_P(ModerationContract, AQueueIsFilteredByTheRuleThatHolds) {
  auto links = held(1000, 1), words = held(1001, 2);
  words.moderation = quire::held({}, "words", 4000);
  insert(links);
  insert(words);
  auto of_words = queue({.rule = "words"});
  ASSERT_EQ(of_words.rows.size(), 1u);
  EXPECT_EQ(of_words.rows[0].comment, words);
  EXPECT_TRUE(queue({.rule = "reports"}).rows.empty());
}

// Random writes and decisions beside a plain list of what must be seen.
TEST_P(ModerationContract, RandomDecisionsLeaveThePublishedOnesOnLists) {
  std::mt19937 random(29);
  std::map<Ulid, CommentStatus> model;
  auto pick = [&] { return std::next(model.begin(), static_cast<long>(random() % model.size())); };
  for (std::uint64_t i = 0; i < 150; ++i) {
    auto deed = random() % 5;
    if (model.empty() || deed < 2) {
      auto comment = deed ? held(1000 + i, i) : comment_at(1000 + i, i, "en", 5);
      insert(comment);
      model[comment.id] = comment.moderation.status;
    } else if (deed < 4) {
      auto at = pick();
      at->second = static_cast<CommentStatus>(random() % 3);
      ASSERT_TRUE(decide(at->first, at->second));
    } else {
      auto at = pick();
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model.erase(at);
    }
    if (i % 10) continue;
    std::vector<Ulid> lists[3];
    for (const auto& [id, status] : model) lists[static_cast<int>(status)].push_back(id);
    ASSERT_EQ(all(), lists[0]);
    expect_total(lists[0].size());
    ASSERT_EQ(queued(Kind::pending), lists[1]);
    ASSERT_EQ(queued(Kind::rejected), lists[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, ModerationContract,
                         testing::Values(on_embedded, on_parts, on_dynalite), name_of);

}  // namespace
}  // namespace quire
