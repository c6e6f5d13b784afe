// Reports are kept once each whatever fails and whoever comes between, and hold comments. The
// service is in memory, and fails as a test asks.
#include <gtest/gtest.h>

#include <random>

#include "base/clock.h"
#include "base/limits.h"
#include "model/document.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

const Comment reported = comment_at(1000, 1, "en", 5);

Report report_of(std::uint8_t person) {
  return {{person}, 1'700'000'000'000u + person, "spam", "Look"};
}

// A moderator's decision.
Moderate decision(CommentStatus status) {
  return [=](const Comment&, Comment& after) -> Status {
    Patch patch{.status = status};
    if (status == CommentStatus::rejected) patch.reason = "spam";
    after.moderation = decided(after.moderation, patch, 5000).value();
    return Done{};
  };
}

class ReportsTest : public testing::TestWithParam<StatisticsBy>, protected Looped {
 protected:
  ReportsTest() { EXPECT_TRUE(run(writes().insert(reported, {}))); }
  void TearDown() override {
    auto expected = GetParam() == StatisticsBy::write ? recount(service_.table)
                                                      : std::map<PlainTable::Key, Item>();
    EXPECT_EQ(beside_comments(service_.table), expected);
  }

  Writes& writes() { return process_.writes; }
  Result<std::optional<Edited>> report(std::uint8_t person, std::uint64_t hold_at = 3) {
    return run(writes().report(reported.id, report_of(person), hold_at));
  }
  Item* item() {
    auto at = service_.table.items.find(PlainTable::key_in(reports_key(reported.id)));
    return at == service_.table.items.end() ? nullptr : &at->second;
  }
  // The persons of the reports that are kept.
  std::vector<int> kept() {
    std::vector<int> persons;
    for (const auto& each : item() ? read_reports(*item()).value() : std::vector<Report>())
      persons.push_back(each.person[0]);
    return persons;
  }
  Comment comment() { return comments_in(service_.table).at(0); }
  bool decide(CommentStatus status) {
    return run(writes().update(reported.id, {.status = status}, {}, decision(status))).ok();
  }
  // Whether the request writes the comment.
  static bool writes_comment(const std::string& operation, const boost::json::object& body) {
    bool writes = operation == "PutItem" || operation == "TransactWriteItems";
    return writes && boost::json::serialize(body).find("\"data\"") != std::string::npos;
  }

  PlainService service_;
  Process process_{context, service_, GetParam()};
};

TEST_P(ReportsTest, ConcurrentReportsAreAllKeptAndOneHoldsTheComment) {
  Process other(context, service_, GetParam());
  std::vector<Awaitable<Result<std::optional<Edited>>>> works;
  for (std::uint8_t person = 0; person < 8; ++person) {
    auto& writes = (person % 2 ? process_ : other).writes;
    works.push_back(writes.report(reported.id, report_of(person), 3));
  }
  std::size_t held = 0, acknowledged = 0;
  for (const auto& result : run_all(std::move(works))) {
    held += result && *result;
    acknowledged += result.ok();
    EXPECT_TRUE(result || result.error().code == ErrorCode::not_found);
  }
  EXPECT_EQ(held, 1u);
  EXPECT_EQ(kept().size(), acknowledged);
  EXPECT_EQ(comment().moderation.held_by, "reports");
  ASSERT_TRUE(decide(CommentStatus::rejected));
  EXPECT_FALSE(is_listed(*item())) << "they are decided on with the comment";
}

TEST_P(ReportsTest, OfACommentThatIsRemovedMeanwhileNoneIsKept) {
  service_.fault = [&](const std::string& operation, const auto&) {
    if (operation == "PutItem") service_.table.items.clear();
    return Fault::none;
  };
  EXPECT_EQ(report(1).error().code, ErrorCode::not_found);
  EXPECT_EQ(item(), nullptr);
  EXPECT_EQ(run(writes().keep_report(reported.id, report_of(2))).error().code,
            ErrorCode::not_found);
}

TEST_P(ReportsTest, AReportIsKeptOnceWhateverFails) {
  std::mt19937 random(29);
  service_.fault = [&](const auto&, const auto&) {
    constexpr Fault faults[] = {Fault::applied, Fault::not_applied};
    auto draw = random() % 8;
    return draw < std::size(faults) ? faults[draw] : Fault::none;
  };
  std::set<int> acknowledged;
  for (int round = 0; round < 60; ++round) {
    auto person = static_cast<std::uint8_t>(random() % 20);
    if (report(person, 0)) acknowledged.insert(person);
  }
  service_.fault = {};
  auto persons = kept();
  std::set<int> once(persons.begin(), persons.end());
  EXPECT_EQ(once.size(), persons.size());
  for (int person : acknowledged) EXPECT_TRUE(once.contains(person)) << person;
  EXPECT_GT(acknowledged.size(), 10u);
  EXPECT_TRUE(comment().published());
}

TEST_P(ReportsTest, AReportThatComesAgainHoldsACommentThatWasNotHeld) {
  report(1).value();
  report(2).value();
  service_.fault = [](const std::string& operation, const boost::json::object& body) {
    return writes_comment(operation, body) ? Fault::refused : Fault::none;
  };
  EXPECT_FALSE(report(3));
  service_.fault = {};
  EXPECT_TRUE(comment().published());
  EXPECT_EQ(kept().size(), 3u);
  EXPECT_TRUE(report(3).value());
  EXPECT_EQ(kept().size(), 3u);
  EXPECT_EQ(comment().moderation.status, CommentStatus::pending);
}

TEST_P(ReportsTest, ADecisionTakesTheReportsOutOfTheQueueAndKeepsThem) {
  report(1).value();
  EXPECT_TRUE(is_listed(*item()));
  ASSERT_TRUE(decide(CommentStatus::published));
  EXPECT_FALSE(is_listed(*item()));
  EXPECT_EQ(kept(), std::vector<int>{1});
  report(2).value();
  EXPECT_TRUE(is_listed(*item()));
  ASSERT_TRUE(decide(CommentStatus::published)) << "the same decision again";
  EXPECT_FALSE(is_listed(*item()));
  report(3).value();
  EXPECT_TRUE(comment().published()) << "a moderator's decision outlasts reports";
  ASSERT_TRUE(decide(CommentStatus::rejected));
  EXPECT_FALSE(is_listed(*item()));
  EXPECT_EQ(kept().size(), 3u);
}

TEST_P(ReportsTest, ContactsAreForgottenWhateverComesBetween) {
  auto notice = report_of(1);
  notice.contact = {"Ann", "ann@example.com"};
  run(writes().report(reported.id, notice, 0)).value();
  ASSERT_TRUE(decide(CommentStatus::published));
  auto forget = [&] { return run(writes().forget_contacts(system_ms() + 1)); };
  service_.fault = [](const std::string& operation, const boost::json::object&) {
    return operation == "PutItem" ? Fault::refused : Fault::none;
  };
  EXPECT_FALSE(forget());
  service_.fault = [&](const std::string& operation, const boost::json::object&) {
    if (operation == "PutItem") *item() = reports_item(reported.id, {notice, report_of(2)}, true);
    return Fault::none;
  };
  EXPECT_EQ(forget().value(), 0u) << "the item has changed meanwhile";
  service_.fault = {};
  EXPECT_EQ(kept().size(), 2u);
  ASSERT_TRUE(decide(CommentStatus::rejected));
  EXPECT_EQ(forget().value(), 1u);
  EXPECT_TRUE(read_reports(*item())->at(0).contact.none());
  EXPECT_FALSE(item()->contains("GSI4PK"));
}

// Between the moderator's look and the decision's write.
TEST_P(ReportsTest, AReportThatNoModeratorSawStaysInTheQueue) {
  report(1).value();
  service_.fault = [&](const std::string& operation, const boost::json::object& body) {
    if (writes_comment(operation, body))
      *item() = reports_item(reported.id, {report_of(1), report_of(2)}, true);
    return Fault::none;
  };
  ASSERT_TRUE(decide(CommentStatus::published));
  EXPECT_TRUE(is_listed(*item()));
  EXPECT_EQ(kept().size(), 2u);
}

TEST_P(ReportsTest, AModeratorIsFasterThanTheReportThatWouldHold) {
  report(1).value();
  report(2).value();
  service_.fault = [&, decided = false](const std::string& operation,
                                        const boost::json::object& body) mutable {
    bool writes =
        operation == "PutItem" && boost::json::serialize(body).find("REPORTS") != std::string::npos;
    if (!writes || std::exchange(decided, true)) return Fault::none;
    Comment fine = reported;
    fine.moderation.decided = true;
    service_.table.items[PlainTable::key_in(comment_key(reported.id))] = comment_item(fine);
    return Fault::none;
  };
  EXPECT_FALSE(report(3).value());
  EXPECT_TRUE(comment().published());
  EXPECT_TRUE(is_listed(*item())) << "no moderator has seen it";
}

TEST_P(ReportsTest, ReportsGoWithTheComment) {
  report(1).value();
  // The first removal ends before it removes the reports.
  service_.fault = [](const std::string& operation, const boost::json::object& body) {
    bool reports = boost::json::serialize(body).find("REPORTS") != std::string::npos;
    return operation == "DeleteItem" && reports ? Fault::refused : Fault::none;
  };
  EXPECT_FALSE(run(writes().remove(reported.id)));
  service_.fault = {};
  ASSERT_TRUE(item());
  EXPECT_EQ(run(writes().remove(reported.id)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(service_.table.items.empty());
  EXPECT_EQ(report(1).error().code, ErrorCode::not_found);
}

INSTANTIATE_TEST_SUITE_P(KeptBy, ReportsTest, each_way, name_of_way);

}  // namespace
}  // namespace quire::dynamodb
