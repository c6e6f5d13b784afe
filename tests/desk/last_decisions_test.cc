// Decisions that can be taken back: for half a minute, once, by who made them.
#include "desk/last_decisions.h"

#include <gtest/gtest.h>

namespace quire::desk {
namespace {

constexpr std::uint64_t begun_ms = 1'700'000'000'000;

std::vector<MadeDecision> made(std::size_t count) {
  std::vector<MadeDecision> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i].id = Ulid::make(i, {});
  return out;
}

TEST(LastDecisions, AreTakenOnce) {
  LastDecisions decisions;
  auto name = decisions.keep("ann", made(3), begun_ms);
  auto taken = decisions.take("ann", name, begun_ms + LastDecisions::kept_ms);
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[2].id, Ulid::make(2, {}));
  EXPECT_TRUE(decisions.take("ann", name, begun_ms).empty());
}

TEST(LastDecisions, AreForgottenAfterHalfAMinute) {
  LastDecisions decisions;
  auto name = decisions.keep("ann", made(1), begun_ms);
  EXPECT_TRUE(decisions.take("ann", name, begun_ms + LastDecisions::kept_ms + 1).empty());
}

TEST(LastDecisions, AreTheirMakersAlone) {
  LastDecisions decisions;
  auto name = decisions.keep("ann", made(1), begun_ms);
  EXPECT_TRUE(decisions.take("bob", name, begun_ms).empty());
  EXPECT_TRUE(decisions.take("ann", "another", begun_ms).empty());
  EXPECT_EQ(decisions.take("ann", name, begun_ms).size(), 1u);
}

TEST(LastDecisions, AreOfABoundedNumberOfComments) {
  LastDecisions decisions;
  auto first = decisions.keep("ann", made(100), begun_ms);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < LastDecisions::max_comments / 100; ++i)
    names.push_back(decisions.keep("bob", made(100), begun_ms));
  EXPECT_TRUE(decisions.take("ann", first, begun_ms).empty());
  for (const auto& name : names) EXPECT_EQ(decisions.take("bob", name, begun_ms).size(), 100u);
}

}  // namespace
}  // namespace quire::desk
