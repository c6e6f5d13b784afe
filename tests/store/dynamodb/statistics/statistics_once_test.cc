// Changes that may come again, as AWS Lambda hands them over: the counts equal a recount.
#include <gtest/gtest.h>

#include "projection/follower.h"
#include "store/dynamodb/statistics_world.h"

namespace quire::dynamodb {
namespace {

class StatisticsOnce : public testing::Test, protected StatisticsWorld {
 protected:
  void SetUp() override { reset(state_); }

  TableStatistics::AppliedChanges once(std::vector<change::Change> changes) {
    return wait(statistics.apply_once(state_, std::move(changes), 1'700'000'000));
  }
  Items counted() {
    Items items = this->items();
    std::erase_if(items, [](const auto& row) { return row.first.first.starts_with("SEEN#"); });
    return items;
  }

  const State state_{Phase::following, "e", "arn", {{change::lambda_mark, {}}}};
};

// PlainTable refuses a transaction that is too large, as the service does.
TEST_F(StatisticsOnce, ABatchOfManyProductsIsMadeInParts) {
  std::vector<change::Change> changes;
  PlainCells plain;
  for (std::uint64_t i = 0; i < 300; ++i) {
    changes.push_back(
        {"p/" + std::to_string(i), id_at(1000, i), {}, cell("en", 4), std::to_string(i + 1)});
  }
  plain.apply(changes);
  auto made = once(changes);
  EXPECT_EQ(made.changes, changes.size()) << (made.failed ? made.failed->message : "");
  EXPECT_TRUE(counted() == items_of(plain));
  service.asked.clear();
  EXPECT_EQ(once(changes).changes, changes.size());
  EXPECT_TRUE(counted() == items_of(plain)) << "it came again";
}

TEST_F(StatisticsOnce, ChangesThatWereNotAppliedAreReportedAndComeAgain) {
  std::mt19937_64 random(7);
  for (std::uint64_t seed : {1, 4, 8, 12}) {
    service.fault = {};
    service.table.items.clear();
    reset(state_);
    Recorder recorder(seed);
    recorder.products = 1 + seed * seed;
    for (std::size_t i = 0; i < recorder.products; ++i)
      access.totals.forget("p/" + std::to_string(i));
    auto changes = recorder.records(400);
    service.fault = [&](const std::string& operation, const auto&) {
      if (operation != "TransactWriteItems" || random() % 3 > 0) return Fault::none;
      return random() % 2 ? Fault::applied : Fault::not_applied;
    };
    std::size_t done = 0;
    for (int round = 0; done < changes.size() && round < 2000; ++round) {
      // A batch begins where the last one failed, or is one that came before.
      auto from = random() % 4 ? done : random() % (done + 1);
      while (from > 0 && changes[from].sequence == changes[from - 1].sequence) --from;
      auto end = std::min(changes.size(), from + 1 + random() % 150);
      while (end < changes.size() && changes[end].sequence == changes[end - 1].sequence) ++end;
      std::vector<change::Change> batch(changes.begin() + static_cast<std::ptrdiff_t>(from),
                                        changes.begin() + static_cast<std::ptrdiff_t>(end));
      done = std::max(done, from + once(std::move(batch)).changes);
    }
    EXPECT_EQ(done, changes.size());
    EXPECT_TRUE(counted() == items_of(recorder.plain)) << seed;
  }
}

TEST_F(StatisticsOnce, NoTransactionBeginsAfterTheDeadline) {
  auto made = wait(statistics.apply_once(state_, {inserted(1)}, 1'700'000'000,
                                         std::chrono::steady_clock::now()));
  EXPECT_EQ(made.changes, 0u);
  EXPECT_TRUE(made.failed);
  EXPECT_TRUE(items().empty());
}

TEST_F(StatisticsOnce, InAnotherEpochNothingIsApplied) {
  reset({Phase::following, "other", "arn", {{change::lambda_mark, {}}}});
  auto made = once({inserted(1)});
  EXPECT_EQ(made.changes, 0u);
  ASSERT_TRUE(made.failed);
  EXPECT_TRUE(counted().empty());
}

}  // namespace
}  // namespace quire::dynamodb
