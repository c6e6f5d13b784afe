#include "dynamodb/retry.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

constexpr Milliseconds a_minute{60'000};

Failure failure(FailureKind kind) {
  return {kind, {}, {}};
}

Tries tries(RetryBudget& budget, Repeat repeat = Repeat::safe, double chance = 0.5) {
  return {budget, repeat, [chance] { return chance; }};
}

TEST(Retry, WaitsTwiceAsLongEachTimeAndGivesUp) {
  RetryBudget budget;
  auto transient = tries(budget);
  EXPECT_EQ(transient.next(failure(FailureKind::transient), a_minute), Milliseconds(12));
  EXPECT_EQ(transient.next(failure(FailureKind::transient), a_minute), Milliseconds(25));
  EXPECT_EQ(transient.next(failure(FailureKind::transient), a_minute), Milliseconds(50));
  EXPECT_FALSE(transient.next(failure(FailureKind::transient), a_minute));
  auto throttled = tries(budget, Repeat::safe, 0.999);
  EXPECT_EQ(throttled.next(failure(FailureKind::throttled), a_minute), Milliseconds(999));
  EXPECT_EQ(throttled.next(failure(FailureKind::throttled), a_minute), Milliseconds(1998));
  EXPECT_EQ(tries(budget, Repeat::safe, 0).next(failure(FailureKind::throttled), a_minute),
            Milliseconds(0));
}

TEST(Retry, WaitsAsLongAsItIsAskedTo) {
  RetryBudget budget;
  EXPECT_EQ(tries(budget).next(failure(FailureKind::transient), a_minute, Milliseconds(700)),
            Milliseconds(700));
}

TEST(Retry, KeepsToItsDeadlineAndSpendsNothingBeyond) {
  RetryBudget budget;
  EXPECT_FALSE(tries(budget).next(failure(FailureKind::throttled), Milliseconds(500)));
  EXPECT_FALSE(tries(budget).next(failure(FailureKind::transient), Milliseconds(0)));
  EXPECT_EQ(budget.left(), RetryBudget::full);
  EXPECT_TRUE(tries(budget).next(failure(FailureKind::throttled), Milliseconds(501)));
}

TEST(Retry, RepeatsAnUnsafeWriteOnlyIfItWasNotApplied) {
  RetryBudget budget;
  auto next = [&](FailureKind kind) {
    return tries(budget, Repeat::unsafe).next(failure(kind), a_minute).has_value();
  };
  EXPECT_FALSE(next(FailureKind::transient));
  EXPECT_TRUE(next(FailureKind::throttled));
  EXPECT_TRUE(next(FailureKind::conflict));
}

TEST(Retry, NeverRepeatsARequestThatWouldFailAgain) {
  RetryBudget budget;
  for (FailureKind kind : {FailureKind::condition, FailureKind::missing, FailureKind::permanent})
    EXPECT_FALSE(tries(budget).next(failure(kind), a_minute));
  for (FailureKind kind : {FailureKind::credentials, FailureKind::clock}) {
    auto once = tries(budget);
    EXPECT_TRUE(once.next(failure(kind), a_minute));
    EXPECT_FALSE(once.next(failure(kind), a_minute));
  }
}

TEST(Retry, StopsWhenTheBudgetIsSpentAndGoesOnAfterSuccesses) {
  RetryBudget budget;
  int allowed = 0;
  while (tries(budget).next(failure(FailureKind::transient), a_minute)) ++allowed;
  EXPECT_EQ(allowed, RetryBudget::full / 14);
  EXPECT_LT(budget.left(), 14);
  EXPECT_TRUE(tries(budget).next(failure(FailureKind::throttled), a_minute)) << "which costs less";
  for (int i = 0; i < 14; ++i) tries(budget).succeeded();
  auto again = tries(budget);
  EXPECT_TRUE(again.next(failure(FailureKind::transient), a_minute));
  int before = budget.left();
  again.succeeded();
  EXPECT_EQ(budget.left(), before + 14) << "what the try that worked had spent";
  for (int i = 0; i < 1000; ++i) tries(budget).succeeded();
  EXPECT_EQ(budget.left(), RetryBudget::full);
}

}  // namespace
}  // namespace quire::dynamodb
