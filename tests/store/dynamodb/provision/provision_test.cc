// Creating and describing a table, at a service that gives scripted answers.
#include "store/dynamodb/provision/provision.h"

#include <gtest/gtest.h>

#include <deque>

#include "loop/loop.h"
#include "store/dynamodb/provision/described.h"

namespace quire::dynamodb {
namespace {

using Sentences = std::vector<std::string>;

Answer failed(std::string name, FailureKind kind = FailureKind::permanent) {
  return {.failure = Failure{kind, std::move(name), "as the service says it"}};
}

Answer expiry(const std::string& status) {
  return {R"({"TimeToLiveDescription":{"TimeToLiveStatus":")" + status +
          R"(","AttributeName":"expires"}})"};
}

const Answer refused_as_there = failed("ResourceInUseException");

class Provision : public testing::Test {
 protected:
  // The next call must be this one.
  void answers(std::string operation, Answer answer) {
    script_.emplace_back(std::move(operation), std::move(answer));
  }
  void describes(boost::json::object table) { answers("DescribeTable", {answer_of(table)}); }

  Result<TableStatus> make(TableOptions options = {}) {
    return wait(make_table(service_, "comments", options));
  }
  Result<TableStatus> inspect() { return wait(inspect_table(service_, "comments")); }

  void TearDown() override { EXPECT_TRUE(script_.empty()) << "answers left over"; }

  std::deque<std::pair<std::string, Answer>> script_;
  Milliseconds slept_{0};
  Service service_{[this](Call call) -> Awaitable<Answer> {
                     if (script_.empty()) throw std::logic_error("asked for " + call.operation);
                     auto [operation, answer] = std::move(script_.front());
                     script_.pop_front();
                     EXPECT_EQ(call.operation, operation);
                     co_return answer;
                   },
                   [this](Milliseconds time) -> Awaitable<void> {
                     slept_ += time;
                     co_return;
                   }};
};

TEST_F(Provision, WaitsUntilTheTableIsReadyAndLetsItemsExpire) {
  auto creating = described();
  creating["TableStatus"] = "CREATING";
  answers("CreateTable", {"{}"});
  answers("DescribeTable", failed("ResourceNotFoundException", FailureKind::missing));
  describes(creating);
  describes(described());
  answers("DescribeTimeToLive", expiry("DISABLED"));
  answers("UpdateTimeToLive", {"{}"});
  auto status = make().value();
  EXPECT_TRUE(status.created);
  EXPECT_EQ(status.name, "comments");
  EXPECT_EQ(status.notes, Sentences{});
  EXPECT_EQ(status.table.expiry, "expires");
  EXPECT_EQ(status.differences, Sentences{});
  EXPECT_EQ(slept_, 2 * table_pause);
}

TEST_F(Provision, LeavesATableThatFitsAsItIs) {
  answers("CreateTable", refused_as_there);
  describes(described());
  answers("DescribeTimeToLive", expiry("ENABLED"));
  auto status = make({5, 7}).value();
  EXPECT_FALSE(status.created);
  EXPECT_EQ(status.notes, Sentences{"The units of a table that exists are not changed."});
}

TEST_F(Provision, RefusesATableThatDiffers) {
  auto other = described();
  other.erase("StreamSpecification");
  answers("CreateTable", refused_as_there);
  describes(other);
  auto status = make();
  ASSERT_FALSE(status);
  EXPECT_EQ(
      status.error().message,
      "There already is a table comments that does not fit. It has no stream; it needs one of "
      "NEW_AND_OLD_IMAGES. Take another name.");
}

TEST_F(Provision, NamesWhatTheServiceCreatedOtherwise) {
  auto without = described();
  without.erase("StreamSpecification");
  answers("CreateTable", {"{}"});
  describes(without);
  answers("DescribeTimeToLive", failed("UnknownOperationException"));
  auto status = make().value();
  EXPECT_TRUE(status.created);
  EXPECT_EQ(status.notes, Sentences{"Whether items expire is not known: DescribeTimeToLive was not "
                                    "answered (UnknownOperationException)."});
  EXPECT_EQ(status.differences, Sentences{"It has no stream; it needs one of NEW_AND_OLD_IMAGES."});
}

TEST_F(Provision, NotesWhenItemsMayNotExpire) {
  answers("CreateTable", {"{}"});
  describes(described());
  answers("DescribeTimeToLive", expiry("DISABLED"));
  answers("UpdateTimeToLive", failed("AccessDeniedException"));
  auto status = make().value();
  EXPECT_EQ(status.notes.size(), 1u);
  EXPECT_EQ(status.differences, Sentences{"Its items do not expire; they must expire by expires."});
}

TEST_F(Provision, GivesUpOnATableThatDoesNotBecomeReady) {
  auto creating = described();
  creating["GlobalSecondaryIndexes"].as_array()[2].as_object()["IndexStatus"] = "CREATING";
  answers("CreateTable", {"{}"});
  for (Milliseconds time{0}; time <= table_patience; time += table_pause) describes(creating);
  auto status = make();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "The table comments is not ready after 120 seconds. Look again later: quire table "
            "describe.");
  EXPECT_EQ(slept_, table_patience);
}

TEST_F(Provision, ReturnsRefusalsAsErrors) {
  answers("CreateTable", failed("AccessDeniedException"));
  EXPECT_FALSE(make());
  answers("CreateTable", {"{}"});
  answers("DescribeTable", failed("AccessDeniedException"));
  EXPECT_FALSE(make());
  answers("CreateTable", {"<html>"});
  answers("DescribeTable", {"<html>"});
  EXPECT_EQ(make().error().message,
            "The server at the table's endpoint is not DynamoDB: check the address after --store.");
}

TEST_F(Provision, InspectsATable) {
  describes(described());
  answers("DescribeTimeToLive", expiry("ENABLED"));
  auto status = inspect().value();
  EXPECT_FALSE(status.created);
  EXPECT_EQ(status.table.items, 7u);
  EXPECT_EQ(status.differences, Sentences{});

  describes(described());
  answers("DescribeTimeToLive", {"{}"});
  EXPECT_EQ(inspect()->notes, Sentences{"Whether items expire is not known: DescribeTimeToLive was "
                                        "not answered."});

  answers("DescribeTable", failed("ResourceNotFoundException", FailureKind::missing));
  EXPECT_FALSE(inspect());
}

}  // namespace
}  // namespace quire::dynamodb
